#include "nunatak/cli/scan_request.h"

#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/read/name_mapping.h"

namespace nunatak::cli {

ReadRequest RequestFor(const OpenedScan& scan) {
  ReadRequest request{.schema = scan.schema,
                      .projection = scan.source->schema(),
                      .past_schema = [metadata = scan.opened.table.metadata](int32_t field_id) {
                        return iceberg::PastSchemaWith(*metadata, field_id);
                      }};
  const auto mapping = scan.opened.table.metadata->FindProperty(kNameMappingProperty);
  if (mapping) request.name_mapping = NameMapping::Parse(*mapping);
  return request;
}

}  // namespace nunatak::cli

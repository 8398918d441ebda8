#include "nunatak/read/read_request.h"

#include <utility>

namespace nunatak {

PastSchema FirstSchemaOf(std::vector<Schema> schemas) {
  return [schemas = std::move(schemas)](int32_t field_id) -> std::optional<Schema> {
    for (const Schema& schema : schemas) {
      if (schema.FindField(field_id) != nullptr) return schema;
    }
    return std::nullopt;
  };
}

}  // namespace nunatak

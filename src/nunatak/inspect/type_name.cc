#include "nunatak/inspect/type_name.h"

namespace nunatak {

std::string TypeName(const Type& type) {
  switch (type.id()) {
    case TypeId::kStruct:
      return "struct";
    case TypeId::kList:
      return "list";
    case TypeId::kMap:
      return "map";
    default:
      return type.ToString();
  }
}

}  // namespace nunatak

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/type.h"

namespace nunatak {

namespace {

constexpr std::string_view kDefaultCrs = "OGC:CRS84";
constexpr std::string_view kDefaultAlgorithm = "spherical";
constexpr std::array<std::string_view, 5> kAlgorithms = {"spherical", "vincenty", "thomas",
                                                         "andoyer", "karney"};

/// Indexed by `TypeId`.
constexpr std::array<std::string_view, 23> kNames = {
    "unknown",        "boolean",   "int",    "long",      "float",       "double",
    "decimal",        "date",      "time",   "timestamp", "timestamptz", "timestamp_ns",
    "timestamptz_ns", "string",    "uuid",   "fixed",     "binary",      "variant",
    "geometry",       "geography", "struct", "list",      "map"};

std::string_view NameOf(TypeId id) { return kNames[static_cast<size_t>(id)]; }

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// A type name taken apart: "decimal(9, 2)" is the base "decimal" and the parameters "9", "2".
struct NameParts {
  std::string base;
  char bracket = 0;  ///< '(' or '['; 0 when there are no parameters.
  std::vector<std::string_view> parameters;
};

/// Nullopt when a bracket is not closed at the end of the name.
std::optional<NameParts> Split(std::string_view name) {
  NameParts parts;
  const size_t open = name.find_first_of("([");
  parts.base = ToLowerAscii(Trim(name.substr(0, open)));
  if (open == std::string_view::npos) return parts;
  parts.bracket = name[open];
  if (name.back() != (parts.bracket == '(' ? ')' : ']')) return std::nullopt;
  std::string_view inside = name.substr(open + 1, name.size() - open - 2);
  for (;;) {
    const size_t comma = inside.find(',');
    parts.parameters.push_back(Trim(inside.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    inside.remove_prefix(comma + 1);
  }
}

[[noreturn]] void ThrowMalformed(std::string_view name, std::string_view form) {
  ThrowInvalid(fmt::format("malformed type '{}': expected the form {}", name, form));
}

/// Digits alone, as a number that fits; nullopt otherwise.
std::optional<int32_t> ParseNumber(std::string_view text) {
  int32_t value = 0;
  if (text.empty() || text[0] == '-') return std::nullopt;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Type ParseDecimalType(std::string_view name, const NameParts& parts) {
  if (parts.bracket != '(' || parts.parameters.size() != 2) {
    ThrowMalformed(name, "decimal(P, S)");
  }
  const std::optional<int32_t> precision = ParseNumber(parts.parameters[0]);
  const std::optional<int32_t> scale = ParseNumber(parts.parameters[1]);
  if (!precision || !scale) ThrowMalformed(name, "decimal(P, S)");
  return WithContext(name, [&] { return Type::Decimal(*precision, *scale); });
}

Type ParseFixedType(std::string_view name, const NameParts& parts) {
  if (parts.bracket != '[' || parts.parameters.size() != 1) ThrowMalformed(name, "fixed[L]");
  const std::optional<int32_t> length = ParseNumber(parts.parameters[0]);
  if (!length) ThrowMalformed(name, "fixed[L]");
  return Type::Fixed(*length);
}

bool HasEmptyParameter(const NameParts& parts) {
  return std::any_of(parts.parameters.begin(), parts.parameters.end(),
                     [](std::string_view parameter) { return parameter.empty(); });
}

Type ParseGeometryType(std::string_view name, const NameParts& parts) {
  if (parts.bracket == '[' || parts.parameters.size() > 1 || HasEmptyParameter(parts)) {
    ThrowMalformed(name, "geometry or geometry(CRS)");
  }
  return Type::Geometry(std::string(parts.parameters.empty() ? kDefaultCrs : parts.parameters[0]));
}

Type ParseGeographyType(std::string_view name, const NameParts& parts) {
  const size_t count = parts.parameters.size();
  if (parts.bracket == '[' || count > 2 || HasEmptyParameter(parts)) {
    ThrowMalformed(name, "geography, geography(CRS) or geography(CRS, algorithm)");
  }
  std::string algorithm = ToLowerAscii(count == 2 ? parts.parameters[1] : kDefaultAlgorithm);
  if (std::find(kAlgorithms.begin(), kAlgorithms.end(), algorithm) == kAlgorithms.end()) {
    ThrowUnsupported(
        fmt::format("edge-interpolation algorithm '{}' of type '{}' is not known", algorithm, name),
        fmt::format("the specification has {}", fmt::join(kAlgorithms, ", ")));
  }
  return Type::Geography(std::string(count == 0 ? kDefaultCrs : parts.parameters[0]),
                         std::move(algorithm));
}

std::string FieldToString(const Field& field) {
  return fmt::format("{}: {}: {} {}", field.id, field.name,
                     field.required ? "required" : "optional", field.type.ToString());
}

std::string StructToString(std::span<const Field> fields) {
  std::string text = "struct<";
  for (const Field& field : fields) {
    if (&field != fields.data()) text += ", ";
    text += FieldToString(field);
  }
  return text + ">";
}

}  // namespace

std::string Type::ToString() const {
  switch (id_) {
    case TypeId::kDecimal:
      return fmt::format("decimal({}, {})", precision_, scale_);
    case TypeId::kFixed:
      return fmt::format("fixed[{}]", length());
    case TypeId::kGeometry:
      return fmt::format("geometry({})", crs());
    case TypeId::kGeography:
      return fmt::format("geography({}, {})", crs(), algorithm());
    case TypeId::kStruct:
      return StructToString(fields());
    case TypeId::kList:
      return fmt::format("list<{}>", element().type.ToString());
    case TypeId::kMap:
      return fmt::format("map<{}, {}>", key().type.ToString(), value().type.ToString());
    default:
      return std::string(NameOf(id_));
  }
}

Type ParsePrimitiveType(std::string_view text) {
  const std::string_view name = Trim(text);
  const std::optional<NameParts> parts = Split(name);
  if (!parts) ThrowInvalid(fmt::format("malformed type '{}': a bracket is not closed", name));
  if (parts->base == NameOf(TypeId::kDecimal)) return ParseDecimalType(name, *parts);
  if (parts->base == NameOf(TypeId::kFixed)) return ParseFixedType(name, *parts);
  if (parts->base == NameOf(TypeId::kGeometry)) return ParseGeometryType(name, *parts);
  if (parts->base == NameOf(TypeId::kGeography)) return ParseGeographyType(name, *parts);
  const auto known = std::find(kNames.begin(), kNames.end(), parts->base);
  if (known == kNames.end()) {
    ThrowUnsupported(fmt::format("type '{}' is not known", name),
                     "the table needs a newer version of nunatak, or its metadata is damaged");
  }
  const auto id = static_cast<TypeId>(known - kNames.begin());
  if (id >= TypeId::kStruct) {
    ThrowInvalid(fmt::format("type '{}' must be a JSON object with its fields, not a name", name));
  }
  if (parts->bracket != 0) ThrowInvalid(fmt::format("type '{}' takes no parameters", name));
  return Type(id);
}

}  // namespace nunatak

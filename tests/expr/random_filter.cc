#include "expr/random_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "nunatak/base/int128.h"
#include "nunatak/expr/op.h"
#include "nunatak/table/datetime.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

bool IsReal(const Type& type) {
  return type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
}

int Sign(bool less, bool greater) { return less ? -1 : greater ? 1 : 0; }

std::vector<std::string> Characters(const std::string& text) {
  std::vector<std::string> characters;
  for (char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 || characters.empty())
      characters.push_back("");
    characters.back() += c;
  }
  return characters;
}

/// LIKE by definition: the pattern is read from the front, `%` tries every length.
bool OracleLike(const std::vector<std::string>& text, size_t t,
                const std::vector<std::string>& pattern, size_t p) {
  if (p == pattern.size()) return t == text.size();
  if (pattern[p] == "%") {
    for (size_t end = t; end <= text.size(); ++end) {
      if (OracleLike(text, end, pattern, p + 1)) return true;
    }
    return false;
  }
  if (t == text.size()) return false;
  if (pattern[p] == "_") return OracleLike(text, t + 1, pattern, p + 1);
  const size_t literal = pattern[p] == "\\" ? p + 1 : p;
  return pattern[literal] == text[t] && OracleLike(text, t + 1, pattern, literal + 1);
}

Truth FromBool(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

Truth Opposite(Truth truth) {
  return truth == Truth::kUnknown ? truth : FromBool(truth == Truth::kFalse);
}

Truth OracleCompareOp(Op op, int order) {
  switch (op) {
    case Op::kLess:
      return FromBool(order < 0);
    case Op::kLessEqual:
      return FromBool(order <= 0);
    case Op::kGreater:
      return FromBool(order > 0);
    case Op::kGreaterEqual:
      return FromBool(order >= 0);
    case Op::kEqual:
      return FromBool(order == 0);
    default:
      return FromBool(order != 0);
  }
}

Truth OracleIn(const TestFilter& leaf, const Type& type, const Value& value) {
  Truth found = Truth::kFalse;
  for (const Value& literal : leaf.literals) {
    const Truth equal =
        literal.is_null() ? Truth::kUnknown : FromBool(OracleCompare(type, value, literal) == 0);
    found = std::max(found, equal);
  }
  return found;
}

Truth OracleLeaf(const TestFilter& leaf, const Type& type, const Value& value) {
  if (leaf.op == Op::kIsNull) return FromBool(value.is_null());
  if (leaf.op == Op::kNotNull) return FromBool(!value.is_null());
  if (value.is_null()) return Truth::kUnknown;
  switch (leaf.op) {
    case Op::kIsNan:
      return FromBool(std::isnan(value.real()));
    case Op::kNotNan:
      return FromBool(!std::isnan(value.real()));
    case Op::kIn:
      return OracleIn(leaf, type, value);
    case Op::kNotIn:
      return Opposite(OracleIn(leaf, type, value));
    case Op::kStartsWith:
      return FromBool(value.bytes().starts_with(leaf.pattern));
    case Op::kNotStartsWith:
      return FromBool(!value.bytes().starts_with(leaf.pattern));
    case Op::kLike:
      return FromBool(OracleLike(Characters(value.bytes()), 0, Characters(leaf.pattern), 0));
    case Op::kNotLike:
      return FromBool(!OracleLike(Characters(value.bytes()), 0, Characters(leaf.pattern), 0));
    default:
      if (leaf.literals[0].is_null()) return Truth::kUnknown;
      return OracleCompareOp(leaf.op, OracleCompare(type, value, leaf.literals[0]));
  }
}

}  // namespace

int OracleCompare(const Type& type, const Value& a, const Value& b) {
  if (IsReal(type)) {
    if (std::isnan(a.real()) || std::isnan(b.real())) {
      return static_cast<int>(std::isnan(a.real())) - static_cast<int>(std::isnan(b.real()));
    }
    return Sign(a.real() < b.real(), a.real() > b.real());
  }
  switch (type.id()) {
    case TypeId::kDecimal:
      return Sign(a.decimal() < b.decimal(), a.decimal() > b.decimal());
    case TypeId::kString:
    case TypeId::kUuid:
    case TypeId::kFixed:
    case TypeId::kBinary: {
      const std::basic_string<unsigned char> x(a.bytes().begin(), a.bytes().end());
      const std::basic_string<unsigned char> y(b.bytes().begin(), b.bytes().end());
      return Sign(std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end()),
                  std::lexicographical_compare(y.begin(), y.end(), x.begin(), x.end()));
    }
    default:
      return Sign(a.integer() < b.integer(), a.integer() > b.integer());
  }
}

Truth OracleEvaluate(const TestFilter& filter, const Schema& schema,
                     const std::vector<Value>& row) {
  switch (filter.op) {
    case Op::kTrue:
      return Truth::kTrue;
    case Op::kFalse:
      return Truth::kFalse;
    case Op::kNot:
      return Opposite(OracleEvaluate(filter.children[0], schema, row));
    case Op::kAnd:
    case Op::kOr: {
      Truth result = filter.op == Op::kAnd ? Truth::kTrue : Truth::kFalse;
      for (const TestFilter& child : filter.children) {
        const Truth truth = OracleEvaluate(child, schema, row);
        result = filter.op == Op::kAnd ? std::min(result, truth) : std::max(result, truth);
      }
      return result;
    }
    default:
      return OracleLeaf(filter, schema.fields()[filter.column].type, row[filter.column]);
  }
}

/// ---- printing --------------------------------------------------------------------------------

namespace {

std::string QuoteText(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string LiteralText(const Type& type, const Value& value) {
  if (value.is_null()) return "NULL";
  switch (type.id()) {
    case TypeId::kBoolean:
      return value.integer() ? "true" : "FALSE";
    case TypeId::kFloat:
    case TypeId::kDouble:
      if (std::isnan(value.real())) return "double('NaN')";
      if (std::isinf(value.real())) return value.real() < 0 ? "'-Infinity'" : "Infinity";
      return fmt::format("{:.17g}D", value.real());
    case TypeId::kDecimal:
      return DecimalToString(value.decimal(), type.scale());
    case TypeId::kDate:
      return fmt::format("DATE'{}'", FormatDate(value.integer()));
    case TypeId::kTime:
      return fmt::format("time '{}'", FormatTime(value.integer()));
    case TypeId::kTimestamp:
      return fmt::format("TIMESTAMP_NTZ'{}'", FormatTimestamp(value.integer(), 6, false));
    case TypeId::kTimestampTz:
      return fmt::format("TIMESTAMP '{}'", FormatTimestamp(value.integer(), 6, true));
    case TypeId::kTimestampNs:
      return fmt::format("'{}'", FormatTimestamp(value.integer(), 9, false));
    case TypeId::kTimestampTzNs:
      return fmt::format("'{}'", FormatTimestamp(value.integer(), 9, true));
    case TypeId::kString:
      return QuoteText(value.bytes());
    case TypeId::kUuid:
    case TypeId::kFixed:
    case TypeId::kBinary: {
      std::string hex;
      for (char c : value.bytes()) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
      return type.id() == TypeId::kUuid ? fmt::format("UUID '{}'", hex) : fmt::format("X'{}'", hex);
    }
    default:
      return std::to_string(value.integer());
  }
}

std::string SymbolOf(Op op) {
  switch (op) {
    case Op::kLess:
      return "<";
    case Op::kLessEqual:
      return "<=";
    case Op::kGreater:
      return ">";
    case Op::kGreaterEqual:
      return ">=";
    case Op::kEqual:
      return "=";
    default:
      return "<>";
  }
}

std::string LeafText(const TestFilter& leaf, const Field& field) {
  const std::string& name = field.name;
  switch (leaf.op) {
    case Op::kIsNull:
      return name + " IS NULL";
    case Op::kNotNull:
      return name + " IS NOT NULL";
    case Op::kIsNan:
      return name + " is nan";
    case Op::kNotNan:
      return name + " is not NaN";
    case Op::kIn:
    case Op::kNotIn: {
      std::string list;
      for (const Value& literal : leaf.literals) {
        list += (list.empty() ? "" : ",") + LiteralText(field.type, literal);
      }
      return fmt::format("{} {} ({})", name, leaf.op == Op::kIn ? "IN" : "NOT IN", list);
    }
    case Op::kLike:
      return fmt::format("{} LIKE {}", name, QuoteText(leaf.pattern));
    case Op::kNotLike:
      return fmt::format("{} NOT LIKE {}", name, QuoteText(leaf.pattern));
    default:
      return fmt::format("{} {} {}", name, SymbolOf(leaf.op),
                         LiteralText(field.type, leaf.literals[0]));
  }
}

nlohmann::ordered_json ToJson(const TestFilter& filter, const Schema& schema) {
  nlohmann::ordered_json json;
  switch (filter.op) {
    case Op::kTrue:
    case Op::kFalse:
      return filter.op == Op::kTrue;
    case Op::kNot:
      json["type"] = "not";
      json["child"] = ToJson(filter.children[0], schema);
      return json;
    case Op::kAnd:
    case Op::kOr:
      json = ToJson(filter.children[0], schema);
      for (size_t i = 1; i < filter.children.size(); ++i) {
        nlohmann::ordered_json pair;
        pair["type"] = filter.op == Op::kAnd ? "and" : "or";
        pair["left"] = std::move(json);
        pair["right"] = ToJson(filter.children[i], schema);
        json = std::move(pair);
      }
      return json;
    default:
      break;
  }
  const Field& field = schema.fields()[filter.column];
  json["type"] = OpName(filter.op);
  json["term"] = field.name;
  const auto literal = [&](const Value& value) -> nlohmann::ordered_json {
    return value.is_null() ? nlohmann::ordered_json() : ValueToCell(field.type, value);
  };
  if (filter.op == Op::kIn || filter.op == Op::kNotIn) {
    json["values"] = nlohmann::ordered_json::array();
    for (const Value& value : filter.literals) json["values"].push_back(literal(value));
  } else if (!filter.literals.empty()) {
    json["value"] = literal(filter.literals[0]);
  } else if (filter.op >= Op::kStartsWith) {
    json["value"] = filter.pattern;
  }
  return json;
}

}  // namespace

std::string ToFilterText(const TestFilter& filter, const Schema& schema) {
  switch (filter.op) {
    case Op::kTrue:
      return "TRUE";
    case Op::kFalse:
      return "false";
    case Op::kNot:
      return "NOT (" + ToFilterText(filter.children[0], schema) + ")";
    case Op::kAnd:
    case Op::kOr: {
      std::string text;
      for (const TestFilter& child : filter.children) {
        if (!text.empty()) text += filter.op == Op::kAnd ? " and " : " OR ";
        text += "(" + ToFilterText(child, schema) + ")";
      }
      return text;
    }
    default:
      return LeafText(filter, schema.fields()[filter.column]);
  }
}

std::string ToFilterJson(const TestFilter& filter, const Schema& schema) {
  const std::string text = ToJson(filter, schema).dump();
  // A bare `true` is a filter in both languages.
  return text;
}

/// ---- random values and filters ---------------------------------------------------------------

std::vector<Type> ComparableTypes() {
  return {TypeId::kBoolean,       TypeId::kInt,        TypeId::kLong,         TypeId::kFloat,
          TypeId::kDouble,        Type::Decimal(9, 2), Type::Decimal(38, 10), TypeId::kDate,
          TypeId::kTime,          TypeId::kTimestamp,  TypeId::kTimestampTz,  TypeId::kTimestampNs,
          TypeId::kTimestampTzNs, TypeId::kString,     TypeId::kUuid,         Type::Fixed(4),
          TypeId::kBinary};
}

namespace {

Value RandomInteger(int64_t least, int64_t greatest, Random* random) {
  switch (random->Below(6)) {
    case 0:
      return Value::Integer(least + static_cast<int64_t>(random->Below(3)));
    case 1:
      return Value::Integer(greatest - static_cast<int64_t>(random->Below(3)));
    case 2:
    case 3:
      return Value::Integer(
          std::clamp<int64_t>(static_cast<int64_t>(random->Below(30)) - 15, least, greatest));
    default:
      return Value::Integer(
          std::clamp(static_cast<int64_t>(random->Bits()) >> random->Below(64), least, greatest));
  }
}

Value RandomReal(bool single, Random* random) {
  static const std::vector<double> kSpecial = {0.0,
                                               -0.0,
                                               1,
                                               -1,
                                               0.5,
                                               std::nan(""),
                                               std::numeric_limits<double>::infinity(),
                                               -std::numeric_limits<double>::infinity()};
  double value = random->Pick(kSpecial);
  if (random->OneIn(3)) value = static_cast<double>(random->Below(2000)) / 7 - 100;
  if (random->OneIn(8)) value = single ? std::numeric_limits<float>::max() : 1.7976931348623157e308;
  if (random->OneIn(8)) value = single ? std::numeric_limits<float>::denorm_min() : 5e-324;
  return Value::Real(single ? static_cast<double>(static_cast<float>(value)) : value);
}

Value RandomDecimal(const Type& type, Random* random) {
  const Int128 limit = PowerOfTen(type.precision());
  Int128 value = static_cast<Int128>(random->Below(40)) - 20;
  if (random->OneIn(3)) value = limit - 1 - static_cast<Int128>(random->Below(3));
  if (random->OneIn(3)) {
    const Int128 wide = (static_cast<Int128>(random->Bits() >> 1) << 60) ^ random->Bits();
    value = (wide >> random->Below(100)) % limit;
  }
  return Value::Decimal(random->OneIn(2) ? value : -value);
}

std::string RandomText(Random* random) {
  static const std::vector<std::string> kCharacters = {
      "a", "a", "b", "ab", "é", "日", "😀", "\U0010FFFF", "%", "_", "\\", "'", "\x01", "\x7F"};
  std::string text;
  for (size_t n = random->Below(5); n > 0; --n) text += random->Pick(kCharacters);
  return text;
}

std::string RandomBytes(size_t length, Random* random) {
  static const std::vector<char> kBytes = {'\0', '\x01', '\x7F', '\x80', '\xFF'};
  std::string bytes;
  while (bytes.size() < length) bytes += random->Pick(kBytes);
  return bytes;
}

Value RandomValue(const Type& type, Random* random) {
  constexpr int64_t kMicrosPerDay = 86'400'000'000;
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();
  switch (type.id()) {
    case TypeId::kBoolean:
      return Value::Integer(random->OneIn(2));
    case TypeId::kInt:
    case TypeId::kDate:
      return RandomInteger(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(),
                           random);
    case TypeId::kFloat:
    case TypeId::kDouble:
      return RandomReal(type.id() == TypeId::kFloat, random);
    case TypeId::kDecimal:
      return RandomDecimal(type, random);
    case TypeId::kTime:
      return RandomInteger(0, kMicrosPerDay - 1, random);
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      // Often some hours, days or years around the epoch, on and beside their edges.
      if (random->OneIn(2)) {
        const int64_t unit = type.id() >= TypeId::kTimestampNs ? 3'600'000'000'000 : 3'600'000'000;
        const int64_t hours = static_cast<int64_t>(random->Below(60)) - 30;
        const int64_t scale = random->Pick(std::vector<int64_t>{1, 24, 730, 8766});
        return Value::Integer(hours * scale * unit + static_cast<int64_t>(random->Below(3)) - 1);
      }
      return RandomInteger(kLeast, kGreatest, random);
    case TypeId::kString:
      return Value::Bytes(RandomText(random));
    case TypeId::kUuid:
      return Value::Bytes(RandomBytes(1, random) + std::string(14, '\x55') +
                          RandomBytes(1, random));
    case TypeId::kFixed:
      return Value::Bytes(RandomBytes(static_cast<size_t>(type.length()), random));
    case TypeId::kBinary:
      return Value::Bytes(RandomBytes(random->Below(4), random));
    default:
      return RandomInteger(kLeast, kGreatest, random);
  }
}

}  // namespace

std::vector<Value> RandomPool(const Type& type, Random* random) {
  std::vector<Value> pool;
  for (size_t n = 2 + random->Below(6); n > 0; --n) pool.push_back(RandomValue(type, random));
  return pool;
}

TestFilter RandomLeaf(const Schema& schema, const std::vector<std::vector<Value>>& pools,
                      size_t column, Random* random) {
  const Type& type = schema.fields()[column].type;
  TestFilter leaf;
  leaf.column = column;
  const auto literal = [&] {
    if (random->OneIn(20)) return Value::Null();
    return random->OneIn(4) ? RandomValue(type, random) : random->Pick(pools[column]);
  };
  const size_t shape = random->Below(12);
  if (shape == 0) {
    leaf.op = random->OneIn(2) ? Op::kIsNull : Op::kNotNull;
  } else if (shape == 1 && IsReal(type)) {
    leaf.op = random->OneIn(2) ? Op::kIsNan : Op::kNotNan;
  } else if (shape <= 4 && type.id() == TypeId::kString) {
    leaf.op = random->OneIn(2) ? Op::kLike : Op::kNotLike;
    for (const std::string& character : Characters(random->Pick(pools[column]).bytes())) {
      if (random->OneIn(5)) leaf.pattern += random->OneIn(2) ? "%" : "_";
      if (random->OneIn(5)) continue;
      if (character == "%" || character == "_" || character == "\\") leaf.pattern += '\\';
      leaf.pattern += character;
    }
    if (random->OneIn(2)) leaf.pattern += "%";
  } else if (shape <= 6) {
    leaf.op = random->OneIn(2) ? Op::kIn : Op::kNotIn;
    for (size_t n = 1 + random->Below(4); n > 0; --n) leaf.literals.push_back(literal());
  } else {
    static const std::vector<Op> kOps = {Op::kLess,         Op::kLessEqual, Op::kGreater,
                                         Op::kGreaterEqual, Op::kEqual,     Op::kNotEqual};
    leaf.op = random->Pick(kOps);
    leaf.literals.push_back(literal());
  }
  return leaf;
}

TestFilter RandomFilter(const Schema& schema, const std::vector<std::vector<Value>>& pools,
                        int depth, Random* random) {
  if (depth == 0 || random->OneIn(3)) {
    if (random->OneIn(30)) {
      TestFilter constant;
      constant.op = random->OneIn(2) ? Op::kTrue : Op::kFalse;
      return constant;
    }
    return RandomLeaf(schema, pools, random->Below(pools.size()), random);
  }
  TestFilter branch;
  branch.op = random->Pick(std::vector<Op>{Op::kAnd, Op::kOr, Op::kNot});
  for (size_t n = branch.op == Op::kNot ? 1 : 2 + random->Below(2); n > 0; --n) {
    branch.children.push_back(RandomFilter(schema, pools, depth - 1, random));
  }
  return branch;
}

}  // namespace nunatak

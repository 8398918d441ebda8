#include "nunatak/expr/project_leaf.h"

#include <array>
#include <limits>
#include <utility>

namespace nunatak {

namespace {

using Projected = std::optional<BoundNode>;

Projected Identity(Op op, std::span<const Value> literals, uint32_t column) {
  return Leaf(op, column, {literals.begin(), literals.end()});
}

/// Equal values have equal images; nothing else is known.
Projected Images(const Transform& transform, const Type& source, std::span<const Value> literals,
                 uint32_t column) {
  std::vector<Value> images;
  for (const Value& literal : literals) {
    images.push_back(Value::Of(transform.Apply(source, literal.view())));
  }
  return Membership(Op::kIn, column, std::move(images));
}

Projected Bucket(const Transform& transform, const Type& source, Op op,
                 std::span<const Value> literals, uint32_t column) {
  if (op != Op::kEqual && op != Op::kIn) return std::nullopt;
  return Images(transform, source, literals, column);
}

/// ---- truncated text and bytes: the image p of v is a prefix of v, so that p ≤ v
/// -------------------

/// Rows that start with `prefix`, which may be cut itself.
Projected CutPrefix(const Transform& transform, const Type& source, const Value& prefix,
                    uint32_t column) {
  if (prefix.bytes().empty()) return std::nullopt;
  const Value cut = Value::Of(transform.Apply(source, prefix.view()));
  const bool whole = cut == prefix;
  return Leaf(whole ? Op::kStartsWith : Op::kEqual, column, {cut});
}

Projected CutBytes(const Transform& transform, const Type& source, Op op,
                   std::span<const Value> literals, uint32_t column) {
  const auto cut = [&] { return Value::Of(transform.Apply(source, literals[0].view())); };
  switch (op) {
    case Op::kLess:
    case Op::kLessEqual:
      return Leaf(op, column, {literals[0]});
    case Op::kGreater:
    case Op::kGreaterEqual:
      return Leaf(Op::kGreaterEqual, column, {cut()});
    case Op::kEqual:
    case Op::kIn:
      return Images(transform, source, literals, column);
    case Op::kStartsWith:
      return CutPrefix(transform, source, literals[0], column);
    case Op::kNotStartsWith:
      if (cut() != literals[0]) return std::nullopt;
      return Leaf(op, column, {literals[0]});
    case Op::kLike:
      return CutPrefix(transform, source, literals[1], column);
    default:
      return std::nullopt;
  }
}

/// ---- numbers, dates and timestamps ------------------------------------------------------------

bool IsTimestamp(TypeId id) { return id >= TypeId::kTimestamp && id <= TypeId::kTimestampTzNs; }

/// Truncation of numbers, and the parts of dates and timestamps: order-preserving, but for results
/// that leave the range of the stored type and wrap around.
class Ordered {
 public:
  Ordered(const Transform& transform, const Type& source, uint32_t column)
      : transform_(transform), source_(source), column_(column) {}

  Projected Project(Op op, std::span<const Value> literals) const {
    switch (op) {
      case Op::kLess:
        return AtMost(Neighbour(literals[0], -1));
      case Op::kLessEqual:
        return AtMost(literals[0]);
      case Op::kGreater:
        return AtLeast(Neighbour(literals[0], 1));
      case Op::kGreaterEqual:
        return AtLeast(literals[0]);
      case Op::kEqual:
      case Op::kIn:
        return AmongImages(literals);
      default:
        return std::nullopt;
    }
  }

 private:
  bool is_decimal() const { return source_.id() == TypeId::kDecimal; }
  bool is_truncate() const { return transform_.id() == TransformId::kTruncate; }

  /// Early writers rounded timestamps before 1970 towards zero, and so did the year and month of
  /// dates: what they stored for a negative result may be one too high.
  bool MayBeOneTooHigh(int64_t image) const {
    const bool rounds = IsTimestamp(source_.id()) || transform_.id() != TransformId::kDay;
    return !is_truncate() && rounds && image < 0;
  }

  /// The types that the column may have had when a partition was written: a long may have been an
  /// int, whose truncation wrapped within 32 bits.
  std::span<const Type> WrittenTypes() const {
    static const std::array<Type, 2> kLongs = {TypeId::kLong, TypeId::kInt};
    if (source_.id() == TypeId::kLong) return kLongs;
    return {&source_, 1};
  }

  static int64_t Least(const Type& type) {
    return type.id() == TypeId::kInt || type.id() == TypeId::kDate
               ? std::numeric_limits<int32_t>::min()
               : std::numeric_limits<int64_t>::min();
  }
  static int64_t Greatest(const Type& type) { return ~Least(type); }

  /// The value one below or above; nullopt beyond the range of the type, where no row is.
  std::optional<Value> Neighbour(const Value& value, int step) const {
    if (is_decimal()) return Value::Decimal(value.decimal() + step);
    const int64_t integer = value.integer();
    if (integer == (step == -1 ? Least(source_) : Greatest(source_))) return std::nullopt;
    return Value::Integer(integer + step);
  }

  Value Image(const Type& written, const Value& value) const {
    return Value::Of(transform_.Apply(written, value.view()));
  }

  /// Partition values of rows up to `limit`: up to its image, or wrapped around from below.
  Projected AtMost(const std::optional<Value>& limit) const {
    if (!limit) return Constant(false);
    if (transform_.Wraps(source_, limit->view())) return std::nullopt;
    Value image = Image(source_, *limit);
    if (!is_decimal() && MayBeOneTooHigh(image.integer())) {
      image = Value::Integer(image.integer() + 1);
    }
    std::vector<BoundNode> terms;
    terms.push_back(Leaf(Op::kLessEqual, column_, {std::move(image)}));
    if (is_decimal()) return Combine(Op::kOr, std::move(terms));
    for (const Type& written : WrittenTypes()) {
      const Value least = Value::Integer(Least(written));
      if (least.integer() > limit->integer() || !transform_.Wraps(written, least.view())) continue;
      // Truncation wraps only below the least multiple of the width, to one value, which is no
      // multiple; hours wrap to all values from there up.
      terms.push_back(
          Leaf(is_truncate() ? Op::kEqual : Op::kGreaterEqual, column_, {Image(written, least)}));
    }
    return Combine(Op::kOr, std::move(terms));
  }

  /// Partition values of rows from `limit` up: from its image up, or wrapped around from above.
  Projected AtLeast(const std::optional<Value>& limit) const {
    if (!limit) return Constant(false);
    if (transform_.Wraps(source_, limit->view())) return std::nullopt;
    std::vector<BoundNode> terms;
    terms.push_back(Leaf(Op::kGreaterEqual, column_, {Image(source_, *limit)}));
    if (!is_decimal()) {
      const Value greatest = Value::Integer(Greatest(source_));
      if (transform_.Wraps(source_, greatest.view())) {
        terms.push_back(Leaf(Op::kLessEqual, column_, {Image(source_, greatest)}));
      }
    }
    return Combine(Op::kOr, std::move(terms));
  }

  Projected AmongImages(std::span<const Value> literals) const {
    std::vector<Value> images;
    for (const Value& literal : literals) {
      images.push_back(Image(source_, literal));
      if (is_decimal()) continue;
      const int64_t image = images.back().integer();
      if (MayBeOneTooHigh(image)) images.push_back(Value::Integer(image + 1));
      for (const Type& written : WrittenTypes()) {
        const bool in_range =
            literal.integer() >= Least(written) && literal.integer() <= Greatest(written);
        if (in_range) images.push_back(Image(written, literal));
      }
    }
    return Membership(Op::kIn, column_, std::move(images));
  }

  const Transform& transform_;
  const Type& source_;
  uint32_t column_;
};

}  // namespace

std::optional<BoundNode> ProjectLeaf(const Transform& transform, const Type& source, Op op,
                                     std::span<const Value> literals, uint32_t column) {
  switch (transform.id()) {
    case TransformId::kIdentity:
      return Identity(op, literals, column);
    case TransformId::kBucket:
      return Bucket(transform, source, op, literals, column);
    case TransformId::kTruncate:
      if (source.id() == TypeId::kString || source.id() == TypeId::kBinary) {
        return CutBytes(transform, source, op, literals, column);
      }
      return Ordered(transform, source, column).Project(op, literals);
    case TransformId::kYear:
    case TransformId::kMonth:
    case TransformId::kDay:
    case TransformId::kHour:
      return Ordered(transform, source, column).Project(op, literals);
    case TransformId::kVoid:
    case TransformId::kUnknown:
      break;
  }
  return std::nullopt;
}

}  // namespace nunatak

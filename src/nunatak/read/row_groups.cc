#include "nunatak/read/row_groups.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "nunatak/base/bytes.h"
#include "nunatak/base/hash.h"

namespace nunatak {

namespace {

struct HashedRow {
  uint64_t hash = 0;
  RowRef ref;
};

/// Rows whose keys have one hash: nearly always one key.
class SameHash {
 public:
  explicit SameHash(const std::vector<RowEncoder>& encoders) : encoders_(encoders) {}

  void Visit(std::span<const HashedRow> rows,
             const std::function<void(std::span<const RowRef>)>& visit) {
    if (rows.size() == 1) return visit(std::span(&rows[0].ref, 1));
    std::map<std::string, std::vector<RowRef>> groups;
    for (const HashedRow& row : rows) {
      key_.clear();
      encoders_[row.ref.batch].Append(row.ref.row, &key_);
      groups[key_].push_back(row.ref);
    }
    for (const auto& [key, refs] : groups) visit(refs);
  }

 private:
  const std::vector<RowEncoder>& encoders_;
  std::string key_;
};

}  // namespace

void ForEachGroup(const std::vector<ChangedRows>& rows, const RowKey& key,
                  const std::function<void(std::span<const RowRef>)>& visit) {
  std::vector<RowEncoder> encoders;
  std::vector<HashedRow> hashed;
  std::string bytes;
  for (uint32_t b = 0; b < rows.size(); ++b) {
    const RowEncoder& encoder = encoders.emplace_back(key.EncoderOf(rows[b]));
    for (uint32_t row = 0; row < rows[b].marks.size(); ++row) {
      bytes.clear();
      encoder.Append(row, &bytes);
      hashed.push_back({HashBytes(AsBytes(bytes)), {b, row}});
    }
  }
  std::sort(hashed.begin(), hashed.end(), [](const HashedRow& a, const HashedRow& b) {
    return std::tie(a.hash, a.ref) < std::tie(b.hash, b.ref);
  });
  SameHash same(encoders);
  for (size_t begin = 0; begin < hashed.size();) {
    size_t end = begin + 1;
    while (end < hashed.size() && hashed[end].hash == hashed[begin].hash) ++end;
    same.Visit(std::span(hashed).subspan(begin, end - begin), visit);
    begin = end;
  }
}

}  // namespace nunatak

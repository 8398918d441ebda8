#include <simdjson.h>

#include <charconv>
#include <string>
#include <utility>

#include "nunatak/delta/file_statistics.h"
#include "nunatak/delta/partition_value.h"

namespace nunatak::delta {

namespace {

namespace ondemand = simdjson::ondemand;

enum class Statistic : uint8_t { kLower, kUpper, kNulls };

/// The wanted columns by the names on their paths.
struct Node {
  std::string name;
  std::vector<Node> children;
  /// The number of a column that ends here; −1 for none.
  int column = -1;
};

Node* ChildOf(Node& node, const std::string& name) {
  for (Node& child : node.children) {
    if (child.name == name) return &child;
  }
  return &node.children.emplace_back(Node{.name = name});
}

Node TreeOf(const std::vector<StatisticsColumn>& columns) {
  Node root;
  for (size_t c = 0; c < columns.size(); ++c) {
    Node* node = &root;
    for (const std::string& name : columns[c].path) node = ChildOf(*node, name);
    node->column = static_cast<int>(c);
  }
  return root;
}

std::string_view Trimmed(std::string_view token) {
  const size_t end = token.find_last_not_of(" \t\r\n");
  return token.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace

/// The parser does not look at what it passes over beyond its strings and brackets, so that damage
/// there stays unseen: what was read before it is what the writer wrote.
class StatisticsReader::Impl {
 public:
  explicit Impl(const std::vector<StatisticsColumn>& columns)
      : columns_(columns), tree_(TreeOf(columns)) {}

  void Read(std::string_view json, size_t readable, FileStatistics* statistics) {
    // The number of rows alone is mostly the first that the text says.
    if (columns_.empty() && ReadLeadingCount(json, statistics)) return;
    statistics_ = statistics;
    size_t capacity = json.size() + readable;
    if (readable < simdjson::SIMDJSON_PADDING) {
      padded_.assign(json);
      padded_.reserve(json.size() + simdjson::SIMDJSON_PADDING);
      json = padded_;
      capacity = padded_.capacity();
    }
    const simdjson::padded_string_view text(json.data(), json.size(), capacity);
    if (ReadDocument(text) != simdjson::SUCCESS) statistics->ForgetFile();
  }

 private:
  static bool ReadLeadingCount(std::string_view json, FileStatistics* statistics) {
    constexpr std::string_view kStart = R"({"numRecords":)";
    if (!json.starts_with(kStart)) return false;
    int64_t count = 0;
    const char* end = json.data() + json.size();
    const auto [at, error] = std::from_chars(json.data() + kStart.size(), end, count);
    if (error != std::errc() || at == end || (*at != ',' && *at != '}')) return false;
    statistics->SetRecordCount(count);
    return true;
  }

  simdjson::error_code ReadDocument(simdjson::padded_string_view text) {
    ondemand::document document;
    if (const auto error = parser_.iterate(text).get(document)) return error;
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    for (auto result : object) {
      ondemand::field field;
      if (const auto error = std::move(result).get(field)) return error;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      if (const auto error = ReadField(key, field.value())) return error;
      if (columns_.empty() && key == "numRecords") break;
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code ReadField(std::string_view key, ondemand::value value) {
    if (key == "numRecords") {
      int64_t count = 0;
      const auto error = value.get_int64().get(count);
      if (!error) statistics_->SetRecordCount(count);
      return error;
    }
    if (key == "tightBounds") {
      bool tight = true;
      const auto error = value.get_bool().get(tight);
      if (!error) statistics_->SetTightBounds(tight);
      return error;
    }
    if (key == "minValues") return ReadColumns(tree_, value, Statistic::kLower);
    if (key == "maxValues") return ReadColumns(tree_, value, Statistic::kUpper);
    if (key == "nullCount") return ReadColumns(tree_, value, Statistic::kNulls);
    return simdjson::SUCCESS;
  }

  /// A column that was a struct when the file was written, or is one now, has nothing to say here.
  simdjson::error_code ReadColumns(const Node& node, ondemand::value value, Statistic statistic) {
    ondemand::json_type type{};
    if (const auto error = value.type().get(type)) return error;
    if (type != ondemand::json_type::object) {
      return node.column < 0 ? simdjson::SUCCESS : ReadValue(node, value, type, statistic);
    }
    if (node.children.empty()) return simdjson::SUCCESS;
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return error;
    size_t left = node.children.size();
    for (auto result : object) {
      ondemand::field field;
      if (const auto error = std::move(result).get(field)) return error;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      for (const Node& child : node.children) {
        if (child.name != key) continue;
        if (const auto error = ReadColumns(child, field.value(), statistic)) return error;
        --left;
        break;
      }
      // What is left of the object is passed over faster than by its fields.
      if (left == 0) break;
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code ReadValue(const Node& node, ondemand::value value, ondemand::json_type type,
                                 Statistic statistic) {
    const auto column = static_cast<size_t>(node.column);
    if (statistic == Statistic::kNulls) {
      int64_t count = 0;
      const auto error = value.get_int64().get(count);
      if (!error) statistics_->SetNullCount(column, count);
      return error;
    }
    if (type == ondemand::json_type::null) return simdjson::SUCCESS;
    std::string_view text;
    if (type == ondemand::json_type::string) {
      if (const auto error = value.get_string().get(text)) return error;
    } else {
      text = Trimmed(value.raw_json_token());
    }
    ValueView bound;
    // What is no value of the column's type, such as one from before a change of it, says nothing.
    if (!ParsePrimitive(columns_[column].type, text, &bound)) return simdjson::SUCCESS;
    if (statistic == Statistic::kLower) {
      statistics_->SetLower(column, bound);
    } else {
      statistics_->SetUpper(column, bound);
    }
    return simdjson::SUCCESS;
  }

  const std::vector<StatisticsColumn>& columns_;
  Node tree_;
  ondemand::parser parser_;
  std::string padded_;
  FileStatistics* statistics_ = nullptr;
};

StatisticsReader::StatisticsReader(const std::vector<StatisticsColumn>& columns)
    : impl_(std::make_unique<Impl>(columns)) {}
StatisticsReader::~StatisticsReader() = default;

void StatisticsReader::Read(std::string_view json, FileStatistics* statistics, size_t readable) {
  impl_->Read(json, readable, statistics);
}

}  // namespace nunatak::delta

#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace nunatak {

/// Draws nodes below each other, each as `line` has it and then what `below`, which may be null,
/// draws of its children; `prefix` is what stands before each of their lines.
inline void DrawNodes(const nlohmann::ordered_json& nodes, const std::string& prefix,
                      std::string (*line)(const nlohmann::ordered_json&),
                      void (*below)(const nlohmann::ordered_json&, const std::string&,
                                    std::string*),
                      std::string* text) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    const bool last = i + 1 == nodes.size();
    *text += prefix + (last ? "└── " : "├── ") + line(nodes[i]) + "\n";
    if (below) below(nodes[i], prefix + (last ? "    " : "│   "), text);
  }
}

}  // namespace nunatak

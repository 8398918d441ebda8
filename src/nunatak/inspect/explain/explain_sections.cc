#include "nunatak/inspect/explain/explain_sections.h"

#include <memory>
#include <utility>
#include <vector>

#include "nunatak/inspect/explain/filter_terms.h"
#include "nunatak/read/decode/section_stats.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/task_deletes.h"

namespace nunatak {

namespace {

struct Section {
  int64_t rows = 0;
  bool kept = true;
};

/// The sections of a task's file that a filter keeps; `on_pages` may be null.
std::vector<Section> SectionsOf(FileIO& io, const Context& context, ReadRequest request,
                                FileScanTask task, std::shared_ptr<const BoundFilter> filter,
                                PageObserver on_pages) {
  std::vector<Section> sections;
  request.on_section = [&sections](const SectionStats& stats, bool kept) {
    sections.push_back({.rows = stats.rows(), .kept = kept});
  };
  request.on_pages = std::move(on_pages);
  task.residual = std::move(filter);
  OpenTask(io, context, request, task, {});
  return sections;
}

void AddPages(const PageCounts& pages, ScanLayer* layer) {
  const Amount in{.count = pages.pages, .bytes = pages.bytes, .rows = pages.rows};
  const Amount out{.count = pages.kept_pages, .bytes = pages.kept_bytes, .rows = pages.kept_rows};
  layer->in += in;
  layer->out += out;
  if (in == out) return;
  layer->Prune(PruningReason::kBounds, std::nullopt,
               {in.count - out.count, in.bytes - out.bytes, in.rows - out.rows});
}

}  // namespace

std::vector<ScanLayer> ExplainSections(FileIO& io, const Context& context,
                                       const ReadRequest& request, const BoundFilter& filter,
                                       const NextTask& next_task) {
  std::vector<std::shared_ptr<const BoundFilter>> terms;
  for (BoundFilter& term : TermsOf(filter)) {
    terms.push_back(std::make_shared<const BoundFilter>(std::move(term)));
  }
  ScanLayer layer{.name = "row-groups"};
  ScanLayer pages{.name = "pages"};
  const auto on_pages = [&pages](const PageCounts& counts) { AddPages(counts, &pages); };
  while (const std::optional<FileScanTask> task = next_task()) {
    const std::vector<Section> sections =
        SectionsOf(io, context, request, *task, task->residual, on_pages);
    std::vector<std::vector<Section>> by_term;
    for (size_t i = 0; i < sections.size(); ++i) {
      const Amount amount{.count = 1, .bytes = 0, .rows = sections[i].rows};
      layer.in += amount;
      if (sections[i].kept) {
        layer.out += amount;
        continue;
      }
      // Most files have no such section: only then is each term asked.
      for (size_t t = by_term.size(); t < terms.size(); ++t) {
        by_term.push_back(SectionsOf(io, context, request, *task, terms[t], nullptr));
      }
      std::optional<size_t> first;
      for (size_t t = 0; t < terms.size() && !first; ++t) {
        if (!by_term[t][i].kept) first = t;
      }
      layer.Prune(sections[i].rows == 0 ? PruningReason::kNoRows : PruningReason::kBounds, first,
                  amount);
    }
  }
  return {layer, pages};
}

}  // namespace nunatak

#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nunatak/plan/file_scan_task.h"

namespace nunatak {

/// Two tasks are the same in all that they refer to.
inline void ExpectSameTask(const FileScanTask& got, const FileScanTask& want) {
  EXPECT_EQ(*got.data_file, *want.data_file);
  EXPECT_EQ(got.data_sequence_number, want.data_sequence_number);
  EXPECT_EQ(*got.spec, *want.spec);
  EXPECT_EQ(*got.residual, *want.residual) << FilterToText(*want.residual);
  EXPECT_EQ(got.start, want.start);
  EXPECT_EQ(got.length, want.length);
  ASSERT_EQ(got.deletes.size(), want.deletes.size());
  for (size_t i = 0; i < got.deletes.size(); ++i) {
    EXPECT_EQ(got.deletes[i]->file, want.deletes[i]->file);
    EXPECT_EQ(got.deletes[i]->data_sequence_number, want.deletes[i]->data_sequence_number);
  }
}

}  // namespace nunatak

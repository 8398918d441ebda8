import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Files;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** Usage: PlanCase METADATA REPETITIONS THREADS [COLUMN OPERATOR TYPE VALUE]... */
public class PlanCase {
  /** Local files without Hadoop, whose start would be measured. */
  static class LocalFileIO implements FileIO {
    public InputFile newInputFile(String path) {
      return Files.localInput(path);
    }

    public OutputFile newOutputFile(String path) {
      return Files.localOutput(path);
    }

    public void deleteFile(String path) {}
  }

  static Expression filter(String[] arguments) {
    Expression filter = Expressions.alwaysTrue();
    for (int i = 3; i < arguments.length; i += 4) {
      String column = arguments[i];
      String text = arguments[i + 3];
      Object value = arguments[i + 2].equals("long") ? (Object) Long.valueOf(text) : text;
      Expression predicate =
          switch (arguments[i + 1]) {
            case ">=" -> Expressions.greaterThanOrEqual(column, value);
            case "<" -> Expressions.lessThan(column, value);
            default -> Expressions.equal(column, value);
          };
      filter = Expressions.and(filter, predicate);
    }
    return filter;
  }

  static List<FileScanTask> plan(String metadata, Expression filter) throws Exception {
    var table = new BaseTable(new StaticTableOperations(metadata, new LocalFileIO()), "table");
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> files = table.newScan().filter(filter).planFiles()) {
      files.forEach(tasks::add);
    }
    return tasks;
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("iceberg.worker.num-threads", arguments[2]);
    var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    List<FileScanTask> tasks = List.of();
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      long cpuStart = process.getProcessCpuTime();
      long start = System.nanoTime();
      tasks = plan(arguments[0], filter(arguments));
      wall.add((System.nanoTime() - start) / 1e9);
      cpu.add((process.getProcessCpuTime() - cpuStart) / 1e9);
    }
    long deletes = tasks.stream().mapToLong(task -> task.deletes().size()).sum();
    System.out.printf(
        "{\"wall_s\":%s,\"cpu_s\":%s,\"files\":%d,\"delete_refs\":%d}%n",
        wall, cpu, tasks.size(), deletes);
    System.exit(0); // The worker pool's threads would keep the process.
  }
}

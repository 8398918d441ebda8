//! usage: plan_case METADATA REPETITIONS THREADS [COLUMN OPERATOR TYPE VALUE]...
use futures::TryStreamExt;
use iceberg::expr::{Predicate, Reference};
use iceberg::io::FileIO;
use iceberg::scan::FileScanTask;
use iceberg::spec::Datum;
use iceberg::table::StaticTable;
use iceberg::TableIdent;
use std::time::Instant;

fn filter(arguments: &[String]) -> Option<Predicate> {
    arguments
        .chunks_exact(4)
        .map(|p| {
            let value = match p[2].as_str() {
                "long" => Datum::long(p[3].parse::<i64>().unwrap()),
                _ => Datum::timestamp_from_str(&p[3]).unwrap(),
            };
            let column = Reference::new(p[0].as_str());
            match p[1].as_str() {
                ">=" => column.greater_than_or_equal_to(value),
                "<" => column.less_than(value),
                _ => column.equal_to(value),
            }
        })
        .reduce(|all, next| all.and(next))
}

async fn plan(metadata: String, filter: Option<Predicate>, threads: usize) -> Vec<FileScanTask> {
    let name = TableIdent::from_strs(["benchmark", "table"]).unwrap();
    let io = FileIO::new_with_fs();
    let table = StaticTable::from_metadata_file(&metadata, name, io).await.unwrap();
    let mut scan = table.scan().with_concurrency_limit(threads);
    if let Some(filter) = filter {
        scan = scan.with_filter(filter);
    }
    let files = scan.build().unwrap().plan_files().await.unwrap();
    files.try_collect().await.unwrap()
}

fn cpu_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let threads = arguments[3].parse::<usize>().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .unwrap();
    let (mut wall, mut cpu, mut tasks) = (vec![], vec![], vec![]);
    for _ in 0..arguments[2].parse::<usize>().unwrap() {
        let planning = plan(arguments[1].clone(), filter(&arguments[4..]), threads);
        let (cpu_start, start) = (cpu_seconds(), Instant::now());
        tasks = runtime.block_on(runtime.spawn(planning)).unwrap();
        wall.push(start.elapsed().as_secs_f64());
        cpu.push(cpu_seconds() - cpu_start);
    }
    let deletes: usize = tasks.iter().map(|task| task.deletes.len()).sum();
    let line = serde_json::json!({
        "wall_s": wall, "cpu_s": cpu, "files": tasks.len(), "delete_refs": deletes});
    println!("{line}");
}

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/metrics_page.h"

#include <dirent.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include "app/version.h"

namespace atrium::app {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily Measure(std::string name, std::string help, MetricType type, double value) {
  prometheus::ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return {.name = std::move(name), .help = std::move(help), .type = type, .metric = {metric}};
}

/// Pages in memory, from the second field of /proc/self/statm.
double ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double OpenDescriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), &::closedir);
  double count = -3;  // ".", ".." and the folder itself.
  while (folder != nullptr && ::readdir(folder.get()) != nullptr) {
    ++count;
  }
  return count;
}

double CpuSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double DescriptorsMax() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

std::vector<MetricFamily> CollectProcess() {
  std::vector<MetricFamily> families{
      Measure("process_resident_memory_bytes", "Memory in use.", MetricType::Gauge,
              ResidentBytes()),
      Measure("process_open_fds", "Open files and sockets.", MetricType::Gauge, OpenDescriptors()),
      Measure("process_max_fds", "Files and sockets that may be open.", MetricType::Gauge,
              DescriptorsMax()),
      Measure("process_cpu_seconds_total", "Processor time used.", MetricType::Counter,
              CpuSeconds())};
  MetricFamily build = Measure("atrium_build_info", "Which Atrium this is.", MetricType::Gauge, 1);
  build.metric[0].label = {{.name = "version", .value = std::string(kVersion)}};
  families.push_back(std::move(build));
  return families;
}

}  // namespace

std::string MetricsPage::Render() const {
  std::vector<MetricFamily> families = CollectProcess();
  for (const prometheus::Collectable* part : parts_) {
    std::vector<MetricFamily> more = part->Collect();
    std::move(more.begin(), more.end(), std::back_inserter(families));
  }
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return std::move(out).str();
}

}  // namespace atrium::app

// Asks the BLAS and OpenMP libraries that are loaded in this process what they are set to. Loads nothing.
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "handle.hpp"

namespace dlb {

namespace {

enum class Kind { openblas, mkl, blis, atlas, blas, openmp };

struct Known {
  const char* part;  // of the file's base name
  Kind kind;
  const char* text;
};

// First match wins.
constexpr Known known_libraries[] = {
    {"openblas", Kind::openblas, "openblas"}, {"libmkl_rt", Kind::mkl, "mkl"},
    {"libblis", Kind::blis, "blis"},          {"libatlas", Kind::atlas, "atlas"},
    {"libsatlas", Kind::atlas, "atlas"},      {"libtatlas", Kind::atlas, "atlas"},
    {"libgomp", Kind::openmp, "gomp"},        {"libiomp5", Kind::openmp, "iomp5"},
    {"libomp", Kind::openmp, "omp"},          {"libblas", Kind::blas, "blas"},
    {"libcblas", Kind::blas, "blas"},
};

// Builds that rename every symbol: 64-bit integers (suffix 64_), the copies inside SciPy's and NumPy's
// wheels.
constexpr const char* prefixes[] = {"", "scipy_"};
constexpr const char* suffixes[] = {"", "64_", "_64", "_"};

const Known* recognise(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash == nullptr ? path : slash + 1;
  for (const Known& known : known_libraries) {
    if (strstr(name, known.part) != nullptr) {
      return &known;
    }
  }
  return nullptr;
}

constexpr std::size_t max_files = 64;

struct Files {
  char paths[max_files][1024];
  std::size_t count;
};

// Runs under the loader's lock, so it only copies names.
int collect(dl_phdr_info* info, std::size_t, void* data) {
  auto* files = static_cast<Files*>(data);
  if (info->dlpi_name != nullptr && recognise(info->dlpi_name) != nullptr && files->count < max_files &&
      strlen(info->dlpi_name) < sizeof(files->paths[0])) {
    strcpy(files->paths[files->count++], info->dlpi_name);
  }
  return 0;
}

void* symbol(void* library, const char* name) {
  for (const char* prefix : prefixes) {
    for (const char* suffix : suffixes) {
      char decorated[128];
      snprintf(decorated, sizeof(decorated), "%s%s%s", prefix, name, suffix);
      void* address = dlsym(library, decorated);
      if (address != nullptr) {
        return address;
      }
    }
  }
  return nullptr;
}

void add_number(Text& text, void* library, const char* function, const char* key) {
  void* address = symbol(library, function);
  if (address == nullptr) {
    return;
  }
  add(text, ",\"");
  add(text, key);
  add(text, "\":");
  add(text, static_cast<std::int64_t>(reinterpret_cast<int (*)()>(address)()));
}

void add_string(Text& text, void* library, const char* function, const char* key) {
  void* address = symbol(library, function);
  const char* value = address == nullptr ? nullptr : reinterpret_cast<const char* (*)()>(address)();
  if (value == nullptr) {
    return;
  }
  add(text, ",\"");
  add(text, key);
  add(text, "\":");
  add_quoted(text, value, 512);
}

void add_answers(Text& text, void* library, Kind kind) {
  switch (kind) {
    case Kind::openblas:
      add_number(text, library, "openblas_get_num_threads", "threads");
      add_number(text, library, "openblas_get_parallel", "parallel");  // 0 none, 1 own threads, 2 OpenMP
      add_string(text, library, "openblas_get_corename", "core");
      add_string(text, library, "openblas_get_config", "config");
      return;
    case Kind::mkl:
      add_number(text, library, "MKL_Get_Max_Threads", "threads");
      return;
    case Kind::blis:
      add_number(text, library, "bli_thread_get_num_threads", "threads");
      return;
    case Kind::openmp:
      add_number(text, library, "omp_get_max_threads", "threads");
      return;
    case Kind::atlas:
    case Kind::blas:
      return;  // nothing to ask
  }
}

void add_library(Text& text, const char* path) {
  const Known* known = recognise(path);
  add(text, text.bytes == 1 ? "{\"file\":" : ",{\"file\":");
  add_quoted(text, path, 1024);
  add(text, ",\"kind\":\"");
  add(text, known->text);
  add(text, "\"");
  void* library = dlopen(path, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) {
    add_answers(text, library, known->kind);
    dlclose(library);
  }
  add(text, "}");
}

// Only one thread calls the library; on the stack it would be too big for small thread stacks.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
Files the_files;

}  // namespace

}  // namespace dlb

extern "C" int dlb_libraries(dlb_handle* h, const char** json, std::size_t* bytes) {
  dlb::the_files.count = 0;
  dl_iterate_phdr(dlb::collect, &dlb::the_files);
  dlb::Text& text = h->libraries;
  dlb::clear(text);
  dlb::add(text, "[");
  for (std::size_t i = 0; i < dlb::the_files.count; ++i) {
    dlb::add_library(text, dlb::the_files.paths[i]);
  }
  dlb::add(text, "]");
  if (text.out_of_memory) {
    *json = "[]";
    *bytes = 2;
    return dlb::fail(h, "no memory for the list of libraries");
  }
  *json = text.data;
  *bytes = text.bytes;
  return 0;
}

// corpus: uncounted
// std::filesystem in the working directory.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

int main() {
  fs::create_directories("top/a/b/c");
  for (int i = 0; i < 5; i++) std::ofstream("top/a/f" + std::to_string(i) + ".txt") << std::string(static_cast<size_t>(i * 10), 'x');
  fs::copy("top/a/f3.txt", "top/a/b/copy.txt");
  fs::create_symlink("f1.txt", "top/a/link");
  std::vector<std::string> list;
  for (auto &e : fs::recursive_directory_iterator("top")) list.push_back(e.path().generic_string() + (e.is_directory() ? "/" : e.is_symlink() ? "@" : ":" + std::to_string(e.file_size())));
  std::sort(list.begin(), list.end());
  for (auto &l : list) std::cout << l << ' ';
  std::cout << '\n' << fs::exists("top/none") << fs::is_empty("top/a/b/c") << fs::file_size("top/a/link") << fs::read_symlink("top/a/link") << '\n';
  fs::rename("top/a/f4.txt", "top/moved.txt"), fs::resize_file("top/moved.txt", 7);
  std::error_code error;
  fs::remove("top/a", error);
  std::cout << fs::file_size("top/moved.txt") << error.message() << fs::remove_all("top") << '\n';
  try { fs::file_size("gone"); } catch (fs::filesystem_error &e) { std::cout << e.code().value() << e.path1() << '\n'; }
  fs::path p = "/usr/./lib/../share//x.tar.gz";
  std::cout << p.lexically_normal() << p.filename() << p.stem() << p.extension() << p.parent_path() << (p / "y").string() << fs::path("a/b/c").lexically_relative("a/d") << '\n';
}

// Files, directories, buffered input, environment, exit code.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	os.MkdirAll("d/e", 0755)
	f, _ := os.Create("d/lines.txt")
	w := bufio.NewWriter(f)
	for i := 0; i < 1000; i++ {
		fmt.Fprintf(w, "line %d %x\n", i, i*i)
	}
	w.Flush()
	f.Close()
	f, _ = os.Open("d/lines.txt")
	s := bufio.NewScanner(f)
	n, total := 0, 0
	for s.Scan() {
		var k, x int
		fmt.Sscanf(s.Text(), "line %d %x", &k, &x)
		n++
		total += k + x
	}
	f.Seek(-10, io.SeekEnd)
	tail, _ := io.ReadAll(f)
	f.Close()
	fmt.Printf("%d %d %q\n", n, total, tail)
	os.WriteFile("d/e/small", []byte("content"), 0600)
	info, _ := os.Stat("d/e/small")
	fmt.Println(info.Size(), info.Mode(), info.IsDir())
	os.Rename("d/e/small", "d/moved")
	os.Symlink("moved", "d/link")
	content, err := os.ReadFile("d/link")
	fmt.Println(string(content), err)
	var list []string
	filepath.Walk("d", func(p string, i os.FileInfo, err error) error {
		list = append(list, p)
		return nil
	})
	sort.Strings(list)
	fmt.Println(list, filepath.Base("/a/b.c"), filepath.Ext("x.tar.gz"), filepath.Clean("a/../b//c"))
	fmt.Println(os.Getenv("LC_ALL"), len(os.Args), strings.Contains(os.Getenv("PATH"), "bin"), os.Remove("none"))
	os.RemoveAll("d")
	_, err = os.Stat("d")
	fmt.Println(os.IsNotExist(err))
	fmt.Fprintln(os.Stderr, "to stderr")
	defer fmt.Println("not printed")
	os.Exit(3)
}

// io: readers and writers composed, pipes between goroutines, limited, teed, sections, scanners.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

type rot13 struct{ r io.Reader }

func (r rot13) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for i, c := range p[:n] {
		switch {
		case c >= 'a' && c <= 'z':
			p[i] = 'a' + (c-'a'+13)%26
		case c >= 'A' && c <= 'Z':
			p[i] = 'A' + (c-'A'+13)%26
		}
	}
	return n, err
}

func main() {
	text := strings.Repeat("The quick brown fox. ", 20)
	var copyOf, out bytes.Buffer
	n, err := io.Copy(&out, io.TeeReader(io.LimitReader(rot13{strings.NewReader(text)}, 50), &copyOf))
	fmt.Println(n, err, out.String() == copyOf.String(), out.String()[:20])
	pr, pw := io.Pipe()
	go func() {
		w := bufio.NewWriter(pw)
		for i := 0; i < 300; i++ {
			fmt.Fprintf(w, "%d\n", i*i)
		}
		w.Flush()
		pw.Close()
	}()
	s := bufio.NewScanner(pr)
	total, count := 0, 0
	for s.Scan() {
		v := 0
		fmt.Sscan(s.Text(), &v)
		total += v
		count++
	}
	fmt.Println(count, total)
	words := bufio.NewScanner(strings.NewReader(text))
	words.Split(bufio.ScanWords)
	longest := ""
	for words.Scan() {
		if len(words.Text()) > len(longest) {
			longest = words.Text()
		}
	}
	section := io.NewSectionReader(strings.NewReader(text), 4, 11)
	part, _ := io.ReadAll(section)
	r := bufio.NewReader(io.MultiReader(strings.NewReader("ab"), strings.NewReader("cd\nef")))
	line, _ := r.ReadString('\n')
	rest, err := r.ReadString('\n')
	fmt.Printf("%s %q %q %q %v\n", longest, part, line, rest, err)
	b := make([]byte, 4)
	_, err = io.ReadFull(strings.NewReader("abc"), b)
	fmt.Println(err, bytes.Fields([]byte(" x y ")), bytes.Title([]byte("go")))
}

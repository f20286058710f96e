// Strings, runes, bytes, builders, formatting verbs, conversions.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

func main() {
	s := "Grüße, 世界! 😀"
	fmt.Println(len(s), utf8.RuneCountInString(s), strings.ToUpper(s), s[7:10], []byte(s)[:6])
	for i, r := range "aé世\xff" {
		fmt.Print(i, ":", string(r), "/", unicode.IsLetter(r), " ")
	}
	fmt.Println()
	var b strings.Builder
	for i := 0; i < 500; i++ {
		b.WriteString(strconv.Itoa(i * i % 97))
		b.WriteByte(',')
	}
	parts := strings.Split(b.String(), ",")
	fmt.Println(b.Len(), len(parts), strings.Count(b.String(), "9"), strings.LastIndex(b.String(), "96"))
	fmt.Println(strings.Fields("  a b   c "), strings.TrimLeft("xxabc", "x"), strings.Replace("aaaa", "a", "b", 2), strings.Title("go lang"), strings.Repeat("=", 10))
	fmt.Printf("%5d|%-5d|%05d|%x|%X|%o|%b|%c|%q|%U|%+d\n", 42, 42, 42, 255, 255, 8, 5, 'A', 'B', 0x1F600, 7)
	fmt.Printf("%f|%.2f|%8.3f|%e|%g|%G|%t|%v|%p\n", 3.14159, 2.5, 1.0, 12345.678, 1e21, 1e-7, true, nil, nil)
	fmt.Printf("%s|%10s|%-10s|%q|%x|% x|%v|%+v|%#v|%T\n", "go", "right", "left", "q\n", "hex", "hex", struct{ A int }{1}, struct{ A int }{1}, struct{ A int }{1}, 5i)
	for _, f := range []float64{0.1, 1.0 / 3, 1e300, 5e-324, 100, 123456789} {
		t := strconv.FormatFloat(f, 'g', -1, 64)
		back, _ := strconv.ParseFloat(t, 64)
		fmt.Print(t, " ", back == f, " ", strconv.FormatFloat(f, 'x', -1, 64), " ")
	}
	fmt.Println(strconv.Quote("tab\t\"é\x00"), strconv.FormatInt(-255, 36))
	n, err := strconv.ParseInt("ff", 16, 8)
	fmt.Println(n, err, bytes.Equal([]byte("a"), []byte("a")), strings.EqualFold("Go", "GO"))
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, '.', tabwriter.AlignRight)
	fmt.Fprintln(w, "a\tbbb\tc")
	fmt.Fprintln(w, "aaaa\tb\tccccc")
	w.Flush()
	var x, y int
	var word string
	fmt.Sscanf("12 abc 0x1f", "%d %s %v", &x, &word, &y)
	fmt.Println(x, word, y)
}

// JSON, base64, hex, hashes, gzip, CSV, sorting, templates, regular expressions.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"regexp"
	"strings"
)

type record struct {
	Name  string            `json:"name"`
	Tags  []string          `json:"tags,omitempty"`
	Extra map[string]float64 `json:"extra"`
	inner int
}

func main() {
	r := record{"n", []string{"a", "<b>"}, map[string]float64{"y": 1.5, "x": 2e30}, 3}
	text, _ := json.Marshal(r)
	fmt.Println(string(text))
	var back record
	fmt.Println(json.Unmarshal(text, &back), back)
	var any interface{}
	fmt.Println(json.Unmarshal([]byte(`{"a":[1,null,true,"s"],"b":{"c":1e3}}`), &any), any, json.Unmarshal([]byte("{bad"), &any))
	data := []byte(strings.Repeat("compressible text, ", 100))
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	w.Write(data)
	w.Close()
	reader, _ := gzip.NewReader(&buffer)
	unpacked, _ := io.ReadAll(reader)
	fmt.Println(len(unpacked), bytes.Equal(unpacked, data))
	fmt.Printf("%x %x %08x\n", md5.Sum(data), sha256.Sum256(data), crc32.ChecksumIEEE(data))
	h := fnv.New64a()
	h.Write(data)
	fmt.Println(h.Sum64(), base64.StdEncoding.EncodeToString([]byte("go\x00\xff")), hex.EncodeToString([]byte("hex")))
	rows, _ := csv.NewReader(strings.NewReader("a,\"b,c\",d\n1,2,3\n")).ReadAll()
	fmt.Println(len(rows), rows)
	bin := make([]byte, 12)
	binary.BigEndian.PutUint32(bin, 0xdeadbeef)
	binary.LittleEndian.PutUint64(bin[4:], 1<<40)
	fmt.Println(bin)
	re := regexp.MustCompile(`(\w+)@(\w+)\.(com|org)`)
	fmt.Println(re.FindAllStringSubmatch("x@y.com, me@site.org, no@where.net", -1), re.ReplaceAllString("x@y.com", "$2:$1"))
}

// text/template and reflect.
package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"text/template"
)

type item struct {
	Name  string `tag:"n"`
	Price float64
	Tags  []string
	inner int
}

func (i item) Cost(n int) float64 { return i.Price * float64(n) }

func main() {
	t := template.Must(template.New("t").Funcs(template.FuncMap{"up": strings.ToUpper}).Parse(
		`{{range $i, $e := .}}{{$i}}: {{$e.Name | up | printf "%-6s"}}|{{printf "%.2f" ($e.Cost 3)}}{{if gt $e.Price 2.0}} dear{{else}} cheap{{end}}{{with $e.Tags}} {{len .}}:{{index . 0}}{{end}}
{{end}}`))
	items := []item{{"tea", 1.5, []string{"hot", "drink"}, 1}, {"cake", 2.25, nil, 2}}
	if err := t.Execute(os.Stdout, items); err != nil {
		fmt.Println(err)
	}
	v := reflect.ValueOf(items[0])
	for i := 0; i < v.NumField(); i++ {
		f := v.Type().Field(i)
		fmt.Print(f.Name, " ", f.Type, " ", f.Tag.Get("tag"), " ", f.PkgPath != "", "; ")
	}
	out := v.MethodByName("Cost").Call([]reflect.Value{reflect.ValueOf(4)})
	fmt.Println(out[0].Float(), v.Kind(), reflect.TypeOf(items), reflect.DeepEqual(items[0], items[0]))
	p := reflect.ValueOf(&items[1]).Elem()
	p.FieldByName("Price").SetFloat(9)
	m := reflect.MakeMap(reflect.TypeOf(map[string]int{}))
	m.SetMapIndex(reflect.ValueOf("k"), reflect.ValueOf(7))
	f := reflect.MakeFunc(reflect.TypeOf(func(int, int) int { return 0 }), func(a []reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(int(a[0].Int() * a[1].Int()))} })
	fmt.Println(items[1].Price, m.Interface(), f.Interface().(func(int, int) int)(6, 7), p.FieldByName("inner").CanSet())
}

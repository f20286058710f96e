// Times from constants: formats, parsing, arithmetic, zones by offset, durations.
package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.Date(2024, time.February, 29, 13, 45, 10, 123456789, time.UTC)
	fmt.Println(t, t.Unix(), t.YearDay(), t.Weekday(), t.Format(time.RFC1123), t.Format("02.01.06 3:04PM .000"))
	fmt.Println(t.AddDate(1, 0, 0), t.Add(36*time.Hour+time.Millisecond).Sub(t), t.Truncate(time.Hour).Format(time.Kitchen))
	zone := time.FixedZone("X", -5*3600-1800)
	fmt.Println(t.In(zone), t.In(zone).Equal(t), time.Unix(1e9, 0).UTC())
	p, err := time.Parse(time.RFC3339, "1999-12-31T23:59:59.5+02:00")
	fmt.Println(p.UTC(), err, p.Before(t))
	_, err = time.Parse("2006-01-02", "2024-13-01")
	fmt.Println(err)
	d, err := time.ParseDuration("1h15m30.918s")
	fmt.Println(d, err, d.Minutes(), d.Round(time.Minute), time.Duration(1500)*time.Microsecond)
	y, w := t.ISOWeek()
	fmt.Println(y, w, time.Since(time.Now().Add(-time.Hour)) >= time.Hour)
}

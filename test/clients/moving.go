// The rounds of move.pl, by five functions of the client's, several at a time. Ids are strings.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
)

var firsts = []string{"018f3406-9e00-0123-4567-89abcdef0101", "01HWT0D7G004HMASW9NF6YY081"}

type order struct {
	customer, kind, record string
	others                 []string
}

type client interface {
	addCustomer(name string) (id string, err error)
	addOrder(order) error
	rename(id, name string) (rows int64, err error)
	customer(id string) (found, name string, err error)
	ordersOf(id string) ([]order, error)
}

func same(err error, got, expected interface{}) error {
	if err == nil && !reflect.DeepEqual(got, expected) {
		err = fmt.Errorf("%v instead of %v", got, expected)
	}
	return err
}

func round(mode, name, record string, client client) (string, error) {
	id, err := client.addCustomer(name)
	if err != nil {
		return "", err
	}
	made := order{id, "Customer", record, []string{id, record}}
	if err := client.addOrder(made); err != nil {
		return "", err
	}
	rows, err := client.rename(id, name+" changed")
	if err := same(err, rows, int64(1)); err != nil {
		return "", err
	}
	found, changed, err := client.customer(id)
	if err := same(err, []string{found, changed}, []string{id, name + " changed"}); err != nil {
		return "", err
	}
	orders, err := client.ordersOf(id)
	if err := same(err, orders, []order{made}); err != nil {
		return "", err
	}
	found, _, err = client.customer(record)
	if err := same(err, found, record); err != nil {
		return "", err
	}
	one, of := firsts[0], ToUuid
	if mode == "ulid" {
		one, of = firsts[1], ToUlid
	}
	for _, old := range firsts {
		if mode == "uuid" {
			break
		}
		found, name, err := client.customer(of(old))
		if err := same(err, []string{found, name}, []string{one, "first"}); err != nil {
			return "", err
		}
	}
	return id, nil
}

func rounds(mode string, client client) {
	previous := firsts[0]
	if mode == "ulid" {
		previous = firsts[1]
	}
	var working sync.WaitGroup
	var lock sync.Mutex
	for names := bufio.NewScanner(os.Stdin); names.Scan(); {
		name := names.Text()
		working.Add(1)
		go func() {
			defer working.Done()
			lock.Lock()
			record := previous
			lock.Unlock()
			id, err := round(mode, name, record, client)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				fmt.Printf("%s\terror\t%s\n", name, strings.Join(strings.Fields(err.Error()), " "))
				return
			}
			previous = id
			fmt.Printf("%s\tdone\t%s\n", name, id)
		}()
	}
	working.Wait()
}

// Ask for each puzzle in the arguments whether it has one solution: go run unique.go URL...
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	command := exec.Command("count-solutions", "--jsonl", "--limit", "1")
	requests, _ := command.StdinPipe()
	output, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := bufio.NewReader(output)
	for number, puzzle := range os.Args[1:] {
		request, _ := json.Marshal(map[string]any{"id": number, "puzzle": puzzle})
		fmt.Fprintf(requests, "%s\n", request)
		line, err := answers.ReadBytes('\n')
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var answer struct {
			Count json.Number
			Exact bool
			Error string
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(puzzle, answer.Count == "1" && answer.Exact, answer.Error)
	}
	requests.Close()
	command.Wait()
}

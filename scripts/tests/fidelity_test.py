"""Tests of scripts/fidelity on small examples of what the tools print."""

import argparse
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

from fidelity import choose, compare, read, render, session

LD = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"

NCU = f'''==PROF== Connected to process 71 (/tmp/case/program)
==PROF== Profiling "scan_blocks" - 0: 0%....50%....100% - 2 passes
==PROF== Disconnected from process 71
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","{LD}","smsp__inst_executed_op_ldgsts.sum"
"","","","","","","","","sector","inst"
"0","71","program","127.0.0.1","scan_blocks(const float *, float *, int)","1","7","(256, 1, 1)","131,586","0"
"1","71","program","127.0.0.1","scan_blocks(const float *, float *, int)","1","7","(256, 1, 1)","14","n/a"
"2","71","program","127.0.0.1","void <unnamed>::add<(int)4, (bool)1>(float *, int)","1","7","(256, 1, 1)","7","0"
'''

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at vecadd_kernel(const float *, float *, int)+0x90 in no_guard.cu:9
=========     by thread (32,0,0) in block (3,0,0)
=========     Access to 0x7f0e42000190 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f0e42000000 of size 400 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main in main.cpp:40 [0x8d5c] in program
=========
========= Invalid __global__ read of size 4 bytes
=========     at vecadd_kernel(const float *, float *, int)+0x90 in no_guard.cu:9
=========     by thread (33,0,0) in block (3,0,0)
=========     Access to 0x7f0e42000194 is out of bounds
=========
========= Invalid __shared__ write of size 16 bytes
=========     at tile(float *)+0x120 in no_guard.cu:20
=========     by thread (1,0,0) in block (0,0,0)
=========     Access to 0x4 is misaligned
=========
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaDeviceSynchronize.
=========     Saved host backtrace up to driver entry point at error
=========
========= Leaked 4,000 bytes at 0x7f0e42000000
=========     Saved host backtrace up to driver entry point at allocation time
=========
========= LEAK SUMMARY: 4000 bytes leaked in 1 allocations
========= ERROR SUMMARY: 5 errors
"""

RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at sum(float *)+0x1a0 in tree.cu:14
=========     and Read access at sum(float *)+0x170 in tree.cu:14 [124 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""

OTHERS = """========= COMPUTE-SANITIZER
========= Uninitialized __global__ memory read of size 4 bytes
=========     at add(float *)+0x50 in a.cu:3
=========
========= Barrier error detected. Divergent thread(s) in block
=========     at add(float *)+0x60 in a.cu:5
=========
========= Host API memory access error at host access to 0x7f7fcdc01200 of size 400 bytes
=========     Uninitialized access at 0x7f7fcdc01300 on access by cudaMemcpy source
=========
========= Something nobody has seen yet
========= Target application returned an error
========= ERROR SUMMARY: 3 errors
"""


def known_from(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "known.toml"
        path.write_text(text)
        return compare.Known(path)


def case(status, wrong=0, findings=None):
    entry = {"status": status, "wrong": wrong, "elements": 100, "process": "exited with code 0"}
    return entry if findings is None else {**entry, "findings": findings}


def both(emulator, cuda):
    return {"emulator": {"build": "", "cases": emulator}, "cuda": {"build": "", "cases": cuda}}


class Reading(unittest.TestCase):
    def test_launches_of_one_kernel_are_summed_and_what_ncu_could_not_read_is_missing(self):
        kernels = read.ncu(NCU)
        self.assertEqual(kernels["scan_blocks"],
                         {"launches": 2, LD: 131600, "smsp__inst_executed_op_ldgsts.sum": 0})

    def test_ncu_and_the_emulator_come_to_one_short_name(self):
        self.assertIn("add<4, 1>", read.ncu(NCU))
        self.assertEqual(read.short_name("void (anonymous namespace)::add<4, 1>(float*, int)"),
                         "add<4, 1>")
        self.assertEqual(read.short_name("void (anonymous namespace)::mul<(anonymous namespace)::"
                                         "Shape<64, 4>, true>(float const*)"),
                         read.short_name("void <unnamed>::mul<<unnamed>::Shape<(int)64, (int)4>, "
                                         "(bool)1>(const float *)"))

    def test_a_log_of_ncu_without_a_table_is_none(self):
        self.assertIsNone(read.ncu("==ERROR== ERR_NVGPUCTRPERM\n"))

    def test_memcheck_names_class_and_place_and_threads_of_one_mistake_are_one(self):
        mistakes = [(m["class"], m["file"], m["line"], m["count"]) for m in read.sanitizer(MEMCHECK)]
        self.assertEqual(mistakes, [("access", "no_guard.cu", 9, 2),
                                    ("misaligned", "no_guard.cu", 20, 1),
                                    ("api", "", 0, 1), ("leak", "", 0, 1)])

    def test_a_race_has_its_place_on_its_first_line(self):
        [race] = read.sanitizer(RACECHECK)
        self.assertEqual((race["class"], race["file"], race["line"]), ("race", "tree.cu", 14))

    def test_what_the_parser_does_not_know_is_kept_as_other(self):
        classes = [m["class"] for m in read.sanitizer(OTHERS)]
        self.assertEqual(classes, ["uninitialized", "barrier", "uninitialized", "other"])

    def test_a_log_that_was_cut_is_none_and_a_clean_one_is_empty(self):
        self.assertIsNone(read.sanitizer("========= COMPUTE-SANITIZER\n"))
        self.assertEqual(read.sanitizer("========= COMPUTE-SANITIZER\n"
                                        "========= ERROR SUMMARY: 0 errors\n"), [])

    def test_a_program_that_never_calls_cuda_has_no_mistakes(self):
        self.assertEqual(read.sanitizer(
            "========= COMPUTE-SANITIZER\n========= Error: Target application terminated before "
            "first instrumented API call\n"), [])

    def test_failures_of_goldens_belong_to_the_file_above_them(self):
        files = read.goldens("add.golden: 12 ran, 0 skipped, 1 failures\n"
                             "add.golden:4: add.s32: lane 0: got 1, want 2\n"
                             "wgmma.ptx: 0 ran, 3 skipped, 0 failures\n"
                             "12 forms and launches ran, 3 need another GPU, 1 failures\n")
        self.assertEqual(files["add.golden"]["failures"],
                         ["add.golden:4: add.s32: lane 0: got 1, want 2"])
        self.assertEqual(files["wgmma.ptx"], {"ran": 0, "skipped": 3, "failures": []})


class Comparing(unittest.TestCase):
    def test_a_verdict_that_differs_is_explained_by_a_finding_of_the_emulator(self):
        state = {"scan/wrong/race": both(
            {"tail": case("passed", 0, [["race-shared", "error", "race.cu", 4]])},
            {"tail": case("wrong", 7)})}
        [row], tally = compare.verdicts(state, known_from(""))
        self.assertEqual(row["reason"], "finding race-shared")
        self.assertEqual((tally["cases"], tally["differ"]), (1, 1))

    def test_a_finding_with_a_defined_result_explains_no_verdict(self):
        state = {"scan/wrong/leak": both({"tail": case("passed", 0, [["leak", "error", "", 0]])},
                                         {"tail": case("wrong", 7)})}
        [row], _ = compare.verdicts(state, known_from(""))
        self.assertEqual(row["reason"], "")

    def test_cases_after_time_outs_on_one_side_are_left_out(self):
        state = {"scan/wrong/hang": both(
            {"one": case("never_ends", 0, []), "two": case("never_ends", 0, [])},
            {"one": case("never_ends")})}
        rows, tally = compare.verdicts(state, known_from(""))
        self.assertEqual((rows, tally["same"], tally["left out"]), ([], 1, 1))

    def test_an_entry_explains_a_counter_only_within_its_distance(self):
        known = known_from('[[counters]]\nmetric = "*sectors*"\nwithin = 0.01\nreason = "noise"\n')
        kernels = {"add": {"launches": 1, LD: 1000}}
        state = {"scan/stages/a": {"emulator": kernels, "cuda": {"add": {"launches": 1, LD: 1005}}},
                 "scan/stages/b": {"emulator": kernels, "cuda": {"add": {"launches": 1, LD: 1100}}},
                 "scan/stages/c": {"emulator": kernels, "cuda": kernels}}
        rows = [(r["same"], r["reason"]) for r in compare.counters(state, known)
                if r["metric"] == LD]
        self.assertEqual(rows, [(False, "noise"), (False, ""), (True, "")])

    def test_an_entry_explains_a_counter_only_in_its_direction(self):
        known = known_from('[[counters]]\ncard = "more"\nreason = "noise"\n')
        kernels = {"add": {"launches": 1, LD: 1000}}
        state = {"scan/stages/a": {"emulator": kernels, "cuda": {"add": {"launches": 1, LD: 1005}}},
                 "scan/stages/b": {"emulator": kernels, "cuda": {"add": {"launches": 1, LD: 995}}}}
        self.assertEqual([r["reason"] for r in compare.counters(state, known) if r["metric"] == LD],
                         ["noise", ""])

    def test_an_older_runs_counters_are_taken_where_nothing_has_changed(self):
        def run(loads, source, **card):
            return {"sources": {"scan/stages/a": source},
                    "counters": {"scan/stages/a": {"emulator": {"add": {LD: loads}}, **card}}}
        older = run(7, "1", cuda={"add": {LD: 8}})
        state = run(7, "1")
        self.assertEqual(compare.take_counters(state, older), ["scan/stages/a"])
        self.assertEqual(state["counters"], older["counters"])
        for changed in (run(9, "1"), run(7, "2"), run(7, "1", cuda={})):
            self.assertEqual(compare.take_counters(changed, older), [])

    def test_a_kernel_that_only_one_side_launched_is_a_difference(self):
        state = {"scan/stages/a": {"emulator": {}, "cuda": {"add": {"launches": 1}}}}
        [row] = compare.counters(state, known_from(""))
        self.assertEqual((row["same"], row["metric"]), (False, "only on the card"))

    def findings(self, emulator, memcheck, status="wrong"):
        tools = {tool: [] for tool in compare.TOOLS}
        tools["memcheck"] = memcheck
        return {"vecadd/wrong/a": {"case": "tail", "status": status, "emulator": emulator,
                                   "tools": tools}}

    def test_an_error_that_follows_a_failed_kernel_is_no_mistake_of_its_own(self):
        ours = [["oob-global-read", "error", "a.cu", 9], ["misaligned-shared", "error", "a.cu", 20],
                ["leak", "error", "", 0]]
        rows, only_ours = compare.findings(self.findings(ours, read.sanitizer(MEMCHECK)),
                                           known_from(""))
        self.assertEqual([row["class"] for row in rows], ["access", "misaligned", "leak"])
        self.assertTrue(all(row["found"] for row in rows))
        self.assertEqual(only_ours, {})

    def test_what_the_tool_alone_finds_is_unexplained_and_what_we_alone_find_is_listed(self):
        ours = [["race-global", "error", "a.cu", 3]]
        rows, only_ours = compare.findings(self.findings(ours, read.sanitizer(OTHERS)),
                                           known_from(""))
        self.assertEqual([(row["class"], row["found"], row["reason"]) for row in rows],
                         [("uninitialized", False, ""), ("barrier", False, ""),
                          ("uninitialized", False, ""), ("other", False, "")])
        self.assertEqual(only_ours, {"race-global": ["vecadd/wrong/a"]})

    def test_a_tool_without_an_end_is_explained_by_a_program_without_one(self):
        rows, _ = compare.findings(self.findings([], None, "never_ends"), known_from(""))
        self.assertEqual(rows[0]["reason"], "never ends")
        rows, _ = compare.findings(self.findings([], None), known_from(""))
        self.assertEqual(rows[0]["reason"], "")


class Rendering(unittest.TestCase):
    def state(self):
        kernels = {"add": {"launches": 1, LD: 1000}}
        return {
            "machine": {"gpu": "NVIDIA H200", "driver": "580", "cuda": "13.0", "date": "2026-11-22"},
            "goldens": {"cuda": {"add.golden": {"ran": 3, "skipped": 0, "failures": ["add.golden:1"]}}},
            "verdicts": {"scan/wrong/a": both({"tail": case("passed", 0, [])},
                                              {"tail": case("wrong", 7)})},
            "counters": {"scan/stages/a": {"emulator": kernels,
                                           "cuda": {"add": {"launches": 1, LD: 1001}}}},
            "findings": {}}

    def test_the_page_says_what_is_unexplained(self):
        page = render.page(self.state(), known_from(""))
        self.assertIn("One NVIDIA H200", page)
        self.assertIn('| scan/wrong/a | passed | wrong | "tail" | **unexplained** |', page)
        self.assertIn(f"| scan/stages/a | add | `{LD}` | 1,000 | 1,001 | **unexplained** |", page)

    def test_verdicts_are_summed_by_lab_and_undefined_ones_by_finding(self):
        state = self.state()
        state["verdicts"] = {
            "scan/wrong/race": both({"tail": case("passed", 0, [["race-shared", "error", "a.cu", 4]]),
                                     "one": case("passed", 0, [])},
                                    {"tail": case("wrong", 7), "one": case("passed")}),
            "devices/stages/a": {"emulator": {"build": "", "cases": {}}}}
        page = render.page(state, known_from(""))
        self.assertIn("| scan | 1 | 0 | 2 | 1 | 1 | 1 | 0 | 0 |", page)
        self.assertIn("| `race-shared` | 1 | 1 | scan/wrong/race |", page)
        self.assertIn("Only the emulator ran these labs: devices.", page)
        self.assertNotIn('"tail"', page)

    def test_known_counters_are_summed_by_reason(self):
        page = render.page(self.state(), known_from('[[counters]]\nreason = "noise"\n'))
        self.assertIn("| noise | 1 | 1.001 | scan |", page)
        self.assertNotIn("1,001", page)

    def test_the_page_names_an_older_run_and_what_was_not_run(self):
        state, older = self.state(), self.state()
        stage = state["counters"]["scan/stages/a"]
        state["sources"] = older["sources"] = {"scan/stages/a": "1"}
        state["counters"] = {"scan/stages/a": {"emulator": stage["emulator"]}}
        page = " ".join(render.page(state, known_from(""), [older]).split())
        self.assertIn("for 1 of them (scan) is from an older run", page)
        self.assertIn("Not in this run: compute-sanitizer's findings.", page)

    def test_programs_that_not_all_tools_have_seen_are_counted_as_not_run(self):
        state = self.state()
        state["findings"] = {"scan/wrong/a": {"case": "tail", "status": "passed"}}
        self.assertIn("0 of the 1 wrong programs that build (the others were not run)",
                      render.page(state, known_from("")))

    def test_the_summary_counts_unexplained_differences_of_the_parts_that_were_asked_for(self):
        with contextlib.redirect_stdout(io.StringIO()):
            total = render.summary(self.state(), known_from(""),
                                   ["goldens", "verdicts", "counters", "findings"])
            counters = render.summary(self.state(), known_from(""), ["counters"])
        self.assertEqual((total, counters), (3, 1))


class Choosing(unittest.TestCase):
    def test_some_cases_are_of_each_verdict_and_from_all_over(self):
        cases = {name: {"status": "passed"} for name in "abcdefghi"}
        cases["d"] = {"status": "wrong"}
        self.assertEqual(choose.some_of_each_verdict(cases, 1), ["i"])
        self.assertEqual(choose.some_of_each_verdict(cases, 4), ["a", "d", "e", "i"])
        self.assertEqual(choose.some_of_each_verdict(cases, 20), list(cases))
        self.assertEqual(choose.some_of_each_verdict({}, 4), [])
        self.assertEqual(choose.some_of_each_verdict({"a": {"status": "wrong"}}, 4), ["a"])


class TheEmulatorsHalf(unittest.TestCase):
    def test_results_of_programs_that_have_changed_since_are_not_taken(self):
        same, other = "vecadd/solution/solution", "scan/solution/solution"
        verdicts = {program: {"emulator": {"cases": {"tail": {}}}} for program in (same, other)}
        source = session.ROOT / "reference/vecadd/solution.cu"
        half = {"sources": {same: session.digest(source), other: "0" * 16},
                "goldens": {"emulator": {"add": "passed"}}, "verdicts": verdicts,
                "counters": {same: {"emulator": {"add": {}}}}}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "half.json"
            file.write_text(json.dumps(half))
            options = argparse.Namespace(out=pathlib.Path(folder) / "out.json", seconds=1)
            taker = session.Session(options)
            self.assertEqual(taker.take_emulator_half(file, ["goldens", "verdicts"]), 1)
        self.assertEqual(taker.state["verdicts"], {same: verdicts[same]})
        self.assertEqual(taker.state["goldens"], half["goldens"])
        self.assertEqual(taker.state["counters"], {})


if __name__ == "__main__":
    unittest.main()

"""tools/check_sizes.py measures code, not data."""

import contextlib
import io
import unittest

from support import TreeTest

import check_sizes


class CheckSizes(TreeTest):

    def run_check(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = check_sizes.main(self.root)
        return status, output.getvalue()

    def test_limits_are_exact(self):
        self.write("src/a.cpp", "\n" * 600)
        self.write("src/b.cpp", "\n" * 400)
        status, output = self.run_check()
        self.assertEqual(status, 0)
        self.assertIn("src/a.cpp: 600 lines", output)
        self.assertNotIn("src/b.cpp", output)

    def test_one_line_more_is_an_error(self):
        for name in ("src/a.cpp", "tools/a.py", "quickstart", "src/x/CMakeLists.txt"):
            self.write(name, "#!/bin/bash\n" + "\n" * 600)
        status, output = self.run_check()
        self.assertEqual(status, 1)
        self.assertEqual(output.count("split it"), 4)

    def test_data_and_third_party_are_free(self):
        self.write("tests/golden/a.json", "\n" * 5000)
        self.write("third_party/x/a.js", "\n" * 5000)
        self.write("build/x/a.cpp", "\n" * 5000)
        self.assertEqual(self.run_check(), (0, ""))


if __name__ == "__main__":
    unittest.main()

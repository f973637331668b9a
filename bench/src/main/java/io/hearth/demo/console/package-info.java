/** What the demo prints while it runs: bars that move on a terminal, few plain lines everywhere else. */
@NullMarked
package io.hearth.demo.console;

import org.jspecify.annotations.NullMarked;

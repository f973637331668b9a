/** What a process cluster needs of the operating system: processes that are told apart from all others, commands, and the state that outlives the harness. */
@NullMarked
package io.hearth.testkit.process.system;

import org.jspecify.annotations.NullMarked;

/**
 * What a process cluster needs of the operating system: processes that outlive whoever started them and are recognised by pid, start time
 * and boot id; signals; short commands.
 */
@NullMarked
package io.hearth.testkit.process.system;

import org.jspecify.annotations.NullMarked;

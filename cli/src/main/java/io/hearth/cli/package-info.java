/**
 * The command line: healing by a person's order or by a daemon, in a process of its own. It knows every room and nobody knows
 * it; it alone knows picocli, which the jar carries under another name.
 */
@NullMarked
package io.hearth.cli;

import org.jspecify.annotations.NullMarked;

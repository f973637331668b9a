/**
 * The command line: what an operator asks of Hearth, and healing by an operator's order or by a daemon, in a process of its own. It uses
 * every other package that is deployed, and none of them uses it. Of these it alone uses picocli, which its jar carries under another
 * name.
 */
@NullMarked
package io.hearth.cli;

import org.jspecify.annotations.NullMarked;

/** What the commands of {@code bin/hearth} share. */
@NullMarked
package io.hearth.testkit.command;

import org.jspecify.annotations.NullMarked;

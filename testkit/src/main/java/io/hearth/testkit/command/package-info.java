/** What the commands of {@code bin/hearth} share. */
package io.hearth.testkit.command;

/** What an operator's site files have to say, and the jars have to have, for Hearth to be installed beside what is there already. Pure. */
@NullMarked
package io.hearth.cli.install;

import org.jspecify.annotations.NullMarked;

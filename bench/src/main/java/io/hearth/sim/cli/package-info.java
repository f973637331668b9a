/**
 * What if: the commands that plan on a snapshot file and run scenarios, so that a person sees what Hearth would do without
 * letting it.
 */
@NullMarked
package io.hearth.sim.cli;

import org.jspecify.annotations.NullMarked;

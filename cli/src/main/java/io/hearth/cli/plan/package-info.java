/** A plan that is kept in a file until a person carries it out, and when it may not be carried out any more. Pure. */
@NullMarked
package io.hearth.cli.plan;

import org.jspecify.annotations.NullMarked;

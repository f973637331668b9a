/** What an operator is shown on a terminal: a cluster in a few lines, a screen that is drawn again, a plan, pins, an estimate. Pure. */
@NullMarked
package io.hearth.cli.view;

import org.jspecify.annotations.NullMarked;

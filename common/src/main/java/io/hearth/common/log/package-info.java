/** How things are said in the master's log: once, not a thousand times. */
@NullMarked
package io.hearth.common.log;

import org.jspecify.annotations.NullMarked;

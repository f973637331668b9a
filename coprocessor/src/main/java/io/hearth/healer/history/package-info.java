/**
 * What people are shown of healing: a bounded list of what came of the last heals, and the regions that are local and not yet reported so.
 */
@NullMarked
package io.hearth.healer.history;

import org.jspecify.annotations.NullMarked;

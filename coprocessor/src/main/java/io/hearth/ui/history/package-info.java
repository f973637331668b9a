/** What was some time ago, in bounded memory: the samples behind the page's small curves. */
@NullMarked
package io.hearth.ui.history;

import org.jspecify.annotations.NullMarked;

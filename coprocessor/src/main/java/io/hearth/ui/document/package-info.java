/** The page itself: one HTML document with its style and its script inside, and the policy that lets nothing else run. */
@NullMarked
package io.hearth.ui.document;

import org.jspecify.annotations.NullMarked;

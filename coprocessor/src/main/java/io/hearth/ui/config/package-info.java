/** What an operator can set about the page in the master's web UI. */
@NullMarked
package io.hearth.ui.config;

import org.jspecify.annotations.NullMarked;

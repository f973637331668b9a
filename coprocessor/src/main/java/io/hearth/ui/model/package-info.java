/** What the page shows, and how it is made of what the master, the balancer and the healer know at one time. */
@NullMarked
package io.hearth.ui.model;

import org.jspecify.annotations.NullMarked;

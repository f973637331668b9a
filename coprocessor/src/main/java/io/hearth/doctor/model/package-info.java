/**
 * What the doctor reads and what it finds: a cluster as far as it could be read, and findings. Whatever could not be read is an
 * unknown with its reason.
 */
@NullMarked
package io.hearth.doctor.model;

import org.jspecify.annotations.NullMarked;

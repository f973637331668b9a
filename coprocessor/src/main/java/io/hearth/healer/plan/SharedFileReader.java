// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.RegionFiles.FilePart;

/**
 * Another region that reads a file, as far as a plan has to know it: the host of its server, where the replicas of what it
 * reads are not to be taken. Immutable.
 */
public record SharedFileReader(String host, FilePart part) {}

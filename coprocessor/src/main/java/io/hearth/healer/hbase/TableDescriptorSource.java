// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The tables' descriptors as they are now, give or take a minute. */
@FunctionalInterface
public interface TableDescriptorSource {

    /** The descriptor of this table; empty if there is no such table. */
    Optional<TableDescriptor> descriptor(TableName table) throws IOException;
}

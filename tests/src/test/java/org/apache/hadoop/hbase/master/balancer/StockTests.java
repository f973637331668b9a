// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the test classes of HBase's that {@link HearthBalancerSuite} runs. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface StockTests {

    Class<?>[] value();
}

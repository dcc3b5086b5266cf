#!/bin/sh
# Makes /opt/workbench/java: the compiler that stays (server.jar), with an archive of the classes it
# needs (server.jsa), and an archive of the classes that programs commonly use (run.jsa).
set -eu
here=$(dirname "$0")
to=/opt/workbench/java
work=/tmp/warm
mkdir -p $to $work/server $work/common
cd $work

internal=
for package in file main util; do
    internal="$internal --add-exports jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED"
done
# shellcheck disable=SC2086  # a list of options
javac -Xlint:all -Werror $internal -d server "$here/CompileServer.java"
cat >manifest <<MANIFEST
Main-Class: CompileServer
Add-Exports: jdk.compiler/com.sun.tools.javac.file jdk.compiler/com.sun.tools.javac.main jdk.compiler/com.sun.tools.javac.util
MANIFEST
jar --create --file $to/server.jar --manifest manifest -C server .

# An archive fits this JDK, and this class path.
flags="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
# shellcheck disable=SC2086
java $flags -Xmx256m -XX:ArchiveClassesAtExit=$to/server.jsa -jar $to/server.jar \
    "$here/Common.java" >archive.log 2>&1 || { cat archive.log; exit 1; }
# The class path of a program is a folder, and no archive of a folder's classes is accepted: only
# the JDK's own are in it.
javac -proc:none -d common "$here/Common.java"
# shellcheck disable=SC2086
java $flags -XX:DumpLoadedClassList=list -cp common Common >/dev/null 2>&1 || true
grep -Ev '^Common|@lambda-proxy Common|source:|0x0' list >common.list
# Dumped with another collector than is used: only with that the archive holds objects, too.
java -Xshare:dump -XX:SharedClassListFile=common.list -XX:SharedArchiveFile=$to/run.jsa \
    -XX:+UseG1GC -XX:TieredStopAtLevel=1 -cp "$work/none" >archive.log 2>&1 || { cat archive.log; exit 1; }
chmod -R a+rX $to

# Both are accepted, and nothing is said of them.
cd common
# shellcheck disable=SC2086
java $flags -Xshare:on -XX:SharedArchiveFile=$to/run.jsa -Xmx640m -cp . Common >../said 2>&1 || true
grep -q '^common$' ../said
# shellcheck disable=SC2086
java $flags -Xshare:on -XX:SharedArchiveFile=$to/server.jsa -Xmx256m -jar $to/server.jar </dev/null >../said 2>&1
grep -aq ready ../said
rm -rf $work

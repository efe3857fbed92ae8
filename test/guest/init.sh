#!/bin/busybox sh
# First program of the guest. The root becomes the tree that the host shares, read-only, below a file system in memory, so
# that all writes end with the guest. Then the script in the folder of the job becomes process 1.
b=/bin/busybox
fail() {
  $b echo "hub-guest: $*"
  $b poweroff -f
}
virtio=trans=virtio,version=9p2000.L,msize=512000
root="9p -o $virtio,cache=loose,ro" job="9p -o $virtio,cache=none"
# User Mode Linux mounts both from the host; its command line names the folder.
[ -z "$HUB_JOB" ] || root="hostfs -o ro,/" job="hostfs -o $HUB_JOB"
$b mount -t proc proc /proc
for module in /mod/*; do $b insmod "$module" || fail "insmod $module"; done
$b mount -t $root root /lower || fail "no root"
$b mount -t tmpfs over /over && $b mkdir /over/up /over/work
$b mount -t overlay -o lowerdir=/lower,upperdir=/over/up,workdir=/over/work root /new || fail "no overlay"
$b mkdir -p /new/dev /new/proc /new/sys /new/run /new/tmp
$b mount -t devtmpfs dev /new/dev
$b mount --move /proc /new/proc
$b mount -t sysfs sys /new/sys
$b mount -t tmpfs run /new/run && $b mkdir /new/run/job
$b mount -t $job job /new/run/job || fail "no job"
$b cp $b /new/run/busybox
exec $b switch_root /new /run/busybox sh /run/job/init

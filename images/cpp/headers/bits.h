#include <assert.h>
#include <bits/stdc++.h>

package warm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWarm(t *testing.T) {
	require.New(t).True(assert.New(t).Equal(2, 1+1))
}

import { configure } from '@testing-library/react'

// A second, as usual, is not enough while other work is done on the machine.
configure({ asyncUtilTimeout: 15_000 })

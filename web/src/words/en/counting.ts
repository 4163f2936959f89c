// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { countingIn } from '../plural';

export const { plural, figure } = countingIn('en');

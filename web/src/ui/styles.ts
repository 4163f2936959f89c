// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// In this order: later ones may build on earlier ones.
import './tokens.css';
import './base.css';
import './controls.css';
import './layers.css';
import '../shell/frame.css';

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Route, Switch } from 'wouter-preact';

import { Confirm } from './confirm';
import { Forgot } from './forgot';
import { Join } from './join';
import { JoinConfirm } from './joinConfirm';
import { JoinWaiting } from './joinWaiting';
import { Link } from './link';
import { Reset } from './reset';
import { SetUp } from './setup';
import { SignIn } from './signIn';
import './access.css';

/** Where people come in: the only room for who is not known yet. */
export function Access() {
  return (
    <Switch>
      <Route path="/setup"><SetUp /></Route>
      <Route path="/auth/link"><Link /></Route>
      <Route path="/auth/reset"><Reset /></Route>
      <Route path="/auth/confirm"><Confirm /></Route>
      <Route path="/auth/forgot"><Forgot /></Route>
      <Route path="/join"><Join /></Route>
      <Route path="/join/confirm"><JoinConfirm /></Route>
      <Route path="/join/waiting"><JoinWaiting /></Route>
      <Route><SignIn /></Route>
    </Switch>
  );
}
